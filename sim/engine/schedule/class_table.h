// The classes of a schedule that is being recorded, by their lists of operations. Private to the recorder.
#pragma once
#include "engine/schedule/builder.h"

enum { CLASS_TABLE_RECENT = 8 };

typedef struct ClassTable {
    struct FoundClass *found;            // in a table by the hashes of their operations; NULL before the first one
    uint32_t mask;                       // its size - 1; the size is a power of two
    uint32_t recent[CLASS_TABLE_RECENT]; // the classes found last, the latest first
    uint32_t room;                       // of Schedule.classes
    size_t bytes;                        // of all classes
} ClassTable;

void class_table_init(ClassTable *table);
void class_table_clear(ClassTable *table);
// Returns whether the class has the finished list.
bool class_table_equals(const Class *class, const Builder *list);
// Returns the schedule's class that has the finished list; makes it if there is none.
uint32_t class_table_find(ClassTable *table, Schedule *s, const Builder *list);
