// The style of pages (html.h).
#pragma once

extern const char html_style[];
