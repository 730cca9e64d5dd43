// What programs know about UCX, to which MPICH hands its messages, in order to take the place of its functions.
#pragma once
#include "order/order.h"
#include <stddef.h>
#include <stdint.h>

void *ucp_tag_send_nbx(void *ep, const void *buffer, size_t n, uint64_t tag, const void *param);

// The beginning of UCX's ucp_request_param_t.
typedef struct RequestParam {
    uint32_t fields, flags;
    void *request, *callback;
    uint64_t datatype;
} RequestParam;
enum { HAS_DATATYPE = 1 << 3, DATATYPE_KIND = 7 };

// Returns the bytes of n elements; ORDER_UNKNOWN if they are of a derived type that UCX packs by MPICH's functions.
static inline uint64_t ucx_bytes(size_t n, const void *param)
{
    const RequestParam *p = param;
    if (!(p->fields & HAS_DATATYPE))
        return n;
    return p->datatype & DATATYPE_KIND ? ORDER_UNKNOWN : n * (p->datatype >> 3);
}
