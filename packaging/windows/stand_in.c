/* SPDX-FileCopyrightText: 2026 The Fieldpost authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What Qt asks of Windows 10 and Wine 8 does not have. Compiled once and put into Wine's system folder under two
 * names; it belongs to this imitation of Windows and must never be given away with the program (see examine.py).
 *
 *  uisettings.dll  the WinRT class Windows.UI.ViewManagement.UISettings: light colours, no animations. Qt does not
 *                  start without it.
 *  icuuc.dll       the system's converters between old character sets. Qt wants the functions to be there, and takes
 *                  "I know no such character set" for an answer.
 */
#include <windows.h>

__declspec(dllexport) const char fieldpost_mark[] = "Fieldpost stand-in for Wine";

/* ---- UISettings: one object with several faces. It lives as long as the library, so nobody counts references. */

typedef struct face { const void *const *calls; } face;
typedef struct { BYTE alpha, red, green, blue; } colour;

enum { FACES = 6 };
enum { BACKGROUND, FOREGROUND };

static HRESULT ask(face *self, const GUID *wanted, void **found);
static ULONG count(face *self) { return 1; }
static HRESULT no_interfaces(face *self, ULONG *number, GUID **list) { *number = 0; *list = NULL; return S_OK; }
static HRESULT no_name(face *self, void **name) { *name = NULL; return S_OK; }
static HRESULT number_zero(face *self, INT32 *value) { *value = 0; return S_OK; }
static HRESULT answer_no(face *self, BYTE *value) { *value = FALSE; return S_OK; }
static HRESULT scale_one(face *self, double *value) { *value = 1.0; return S_OK; }
static HRESULT size_zero(face *self, float *pair) { pair[0] = pair[1] = 0; return S_OK; }
static HRESULT subscribe(face *self, void *handler, INT64 *token) { *token = 1; return S_OK; }
static HRESULT unsubscribe(face *self, INT64 token) { return S_OK; }

static HRESULT element_colour(face *self, INT32 element, colour *value) {
    *value = (colour){255, 0xf0, 0xf0, 0xf0};
    return S_OK;
}

static HRESULT theme_colour(face *self, INT32 kind, colour *value) {
    if (kind == BACKGROUND) *value = (colour){255, 255, 255, 255};
    else if (kind == FOREGROUND) *value = (colour){255, 0, 0, 0};
    else *value = (colour){255, 0x12, 0x93, 0x8c}; /* the shades of the accent */
    return S_OK;
}

/* Every WinRT interface begins with the three calls of IUnknown and the three of IInspectable. */
#define FIRST ask, count, count, no_interfaces, no_name, number_zero
static const void *const settings_1[] = {FIRST,
    number_zero /* HandPreference */, size_zero /* CursorSize */, size_zero /* ScrollBarSize */,
    size_zero /* ScrollBarArrowSize */, size_zero /* ScrollBarThumbBoxSize */, number_zero /* MessageDuration */,
    answer_no /* AnimationsEnabled */, answer_no /* CaretBrowsingEnabled */, number_zero /* CaretBlinkRate */,
    number_zero /* CaretWidth */, number_zero /* DoubleClickTime */, number_zero /* MouseHoverTime */,
    element_colour};
static const void *const settings_2[] = {FIRST, scale_one, subscribe, unsubscribe};
static const void *const settings_3[] = {FIRST, theme_colour, subscribe, unsubscribe};
static const void *const settings_4[] = {FIRST, answer_no, subscribe, unsubscribe};
static const void *const settings_5[] = {FIRST, answer_no, subscribe, unsubscribe};
static const void *const settings_6[] = {FIRST, subscribe, unsubscribe, subscribe, unsubscribe};

static struct { GUID id; face object; } faces[FACES] = {
    {{0x85361600, 0x1c63, 0x4627, {0xbc, 0xb1, 0x3a, 0x89, 0xe0, 0xbc, 0x9c, 0x55}}, {settings_1}},
    {{0xbad82401, 0x2721, 0x44f9, {0xbb, 0x91, 0x2b, 0xb2, 0x28, 0xbe, 0x44, 0x2f}}, {settings_2}},
    {{0x03021be4, 0x5254, 0x4781, {0x81, 0x94, 0x51, 0x68, 0xf7, 0xd0, 0x6d, 0x7b}}, {settings_3}},
    {{0x52bb3002, 0x919b, 0x4d6b, {0x9b, 0x78, 0x8d, 0xd6, 0x6f, 0xf4, 0xb9, 0x3b}}, {settings_4}},
    {{0x5349d588, 0x0cb5, 0x5f05, {0xbd, 0x34, 0x70, 0x6b, 0x32, 0x31, 0xf0, 0xbd}}, {settings_5}},
    {{0xaef19bd7, 0xfe31, 0x5a04, {0xad, 0xa4, 0x46, 0x9a, 0xae, 0xc6, 0xdf, 0xa9}}, {settings_6}},
};

static HRESULT make_settings(face *self, void **made) { *made = &faces[0].object; return S_OK; }
static const void *const factory_calls[] = {FIRST, make_settings};
static face factory = {factory_calls};

static const GUID unknown = {0, 0, 0, {0xc0, 0, 0, 0, 0, 0, 0, 0x46}};
static const GUID inspectable = {0xaf86e2e0, 0xb12d, 0x4c6a, {0x9c, 0x5a, 0xd7, 0xaa, 0x65, 0x10, 0x1e, 0x90}};
static const GUID agile = {0x94ea2b94, 0xe9cc, 0x49e0, {0xc0, 0xff, 0xee, 0x64, 0xca, 0x8f, 0x5b, 0x90}};
static const GUID activation_factory = {0x00000035, 0, 0, {0xc0, 0, 0, 0, 0, 0, 0, 0x46}};

static BOOL same(const GUID *one, const GUID *other) {
    const BYTE *a = (const BYTE *)one, *b = (const BYTE *)other;
    for (size_t i = 0; i < sizeof(GUID); i++)
        if (a[i] != b[i]) return FALSE;
    return TRUE;
}

static HRESULT ask(face *self, const GUID *wanted, void **found) {
    *found = NULL;
    if (same(wanted, &unknown) || same(wanted, &inspectable) || same(wanted, &agile)) *found = self;
    if (self == &factory) {
        if (same(wanted, &activation_factory)) *found = self;
    } else {
        for (int i = 0; i < FACES; i++)
            if (same(wanted, &faces[i].id)) *found = &faces[i].object;
    }
    return *found ? S_OK : E_NOINTERFACE;
}

__declspec(dllexport) HRESULT DllGetActivationFactory(void *name, void **found) { *found = &factory; return S_OK; }

/* ---- icuuc: whoever opens a converter is told that there is none, so the rest is never called. */

enum { NO_SUCH_FILE = 4 }; /* U_FILE_ACCESS_ERROR */

__declspec(dllexport) void *ucnv_open(const char *name, int *error) { *error = NO_SUCH_FILE; return NULL; }
__declspec(dllexport) const char *ucnv_getName(void *converter, int *error) { *error = NO_SUCH_FILE; return NULL; }
__declspec(dllexport) const char *ucnv_getStandardName(const char *name, const char *standard, int *error) {
    *error = NO_SUCH_FILE;
    return NULL;
}

#define NEVER_CALLED(name) __declspec(dllexport) void *name(void) { return NULL; }
NEVER_CALLED(ucnv_cbFromUWriteUChars)
NEVER_CALLED(ucnv_cbToUWriteUChars)
NEVER_CALLED(ucnv_close)
NEVER_CALLED(ucnv_countAvailable)
NEVER_CALLED(ucnv_fromUCountPending)
NEVER_CALLED(ucnv_fromUnicode)
NEVER_CALLED(ucnv_getAvailableName)
NEVER_CALLED(ucnv_getFromUCallBack)
NEVER_CALLED(ucnv_getMaxCharSize)
NEVER_CALLED(ucnv_getToUCallBack)
NEVER_CALLED(ucnv_reset)
NEVER_CALLED(ucnv_setFromUCallBack)
NEVER_CALLED(ucnv_setToUCallBack)
NEVER_CALLED(ucnv_toUCountPending)
NEVER_CALLED(ucnv_toUnicode)
NEVER_CALLED(UCNV_FROM_U_CALLBACK_SUBSTITUTE)
NEVER_CALLED(UCNV_TO_U_CALLBACK_SUBSTITUTE)
