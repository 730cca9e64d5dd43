// Sheets as tables of HTML.
#pragma once
#include "out/html.h"
#include "out/sheet.h"

// Adds rows first .. end - 1 of a sheet, as sheet_table prints them; nothing if there are none. `caption` says what
// they are.
void html_sheet(Html *page, const Sheet *sheet, const SheetView *view, guint first, guint end, const char *caption);
