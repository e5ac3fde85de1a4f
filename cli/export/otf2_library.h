/* The library that writes OTF2 traces (libotf2), loaded when it is needed: callsign is built without it. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of OTF2 3, from its headers. */
enum {
    CS_OTF2_WRITE = 0, /* OTF2_FileMode */
    CS_OTF2_POSIX = 1, /* OTF2_FileSubstrate */
    CS_OTF2_PLAIN = 1, /* OTF2_Compression */
    CS_OTF2_FLUSH = 1, /* OTF2_FlushType */
    CS_OTF2_MPI = 4,   /* OTF2_Paradigm */
    CS_OTF2_TYPE_UINT64 = 4,
    CS_OTF2_TYPE_STRING = 11,
    CS_OTF2_PROCESS = 1, /* OTF2_LocationGroupType */
    CS_OTF2_THREAD = 1,  /* OTF2_LocationType */
};
enum { CS_OTF2_GROUP_LOCATIONS = 4, CS_OTF2_GROUP_RANKS = 5, CS_OTF2_GROUP_SELF = 6 };
enum {
    CS_OTF2_ROLE_FUNCTION = 1,
    CS_OTF2_ROLE_BARRIER = 15,
    CS_OTF2_ROLE_ONE_TO_ALL = 23,
    CS_OTF2_ROLE_ALL_TO_ONE = 24,
    CS_OTF2_ROLE_ALL_TO_ALL = 25,
    CS_OTF2_ROLE_OTHER_COLLECTIVE = 26,
    CS_OTF2_ROLE_FILE = 27,
    CS_OTF2_ROLE_POINT_TO_POINT = 28,
    CS_OTF2_ROLE_ONE_SIDED = 29,
};
enum { CS_OTF2_BARRIER = 0, CS_OTF2_CREATE_HANDLE = 17 };                           /* OTF2_CollectiveOp */
enum { CS_OTF2_SYNC_PROCESS = 1, CS_OTF2_SYNC_MEMORY = 2 };                         /* OTF2_RmaSyncLevel */
enum { CS_OTF2_ACCUMULATE = 0, CS_OTF2_COMPARE = 3, CS_OTF2_FETCH_ACCUMULATE = 7 }; /* OTF2_RmaAtomicType */
enum { CS_OTF2_EXCLUSIVE = 0, CS_OTF2_SHARED = 1 };                                 /* OTF2_LockType */
#define CS_OTF2_NONE          UINT32_MAX /* of references, and the root of collective calls without one */
#define CS_OTF2_ROOT_SELF     (UINT32_MAX - 1)
#define CS_OTF2_ROOT_IN_GROUP (UINT32_MAX - 2) /* another one of this group of an intercommunicator */

/* OTF2_FlushCallbacks. */
struct cs_otf2_flush {
    uint8_t (*before)(void *context, uint8_t file, uint64_t location, void *caller, bool last);
    uint64_t (*after)(void *context, uint8_t file, uint64_t location);
};

/* OTF2_ErrorCallback. */
typedef int cs_otf2_error(void *context, const char *file, uint64_t line, const char *function, int code,
                          const char *format, va_list values);

/* Its functions. Handles have no type here. `list` are attributes, or NULL. They return an error code, 0: done. */
struct cs_otf2 {
    cs_otf2_error *(*on_error)(cs_otf2_error *callback, void *context);
    void *(*open)(const char *folder, const char *name, uint8_t mode, uint64_t event_bytes, uint64_t definition_bytes,
                  uint8_t substrate, uint8_t compression);
    int (*close)(void *archive);
    int (*set_flush)(void *archive, const struct cs_otf2_flush *callbacks, void *context);
    int (*set_serial)(void *archive);
    int (*set_creator)(void *archive, const char *creator);
    int (*open_events)(void *archive);
    int (*close_events)(void *archive);
    int (*open_definitions)(void *archive);
    int (*close_definitions)(void *archive);
    void *(*events)(void *archive, uint64_t location);
    int (*end_events)(void *archive, void *events);
    void *(*local)(void *archive, uint64_t location);
    int (*end_local)(void *archive, void *local);
    void *(*definitions)(void *archive);

    void *(*list_new)(void);
    int (*list_delete)(void *list);
    int (*list_text)(void *list, uint32_t attribute, uint32_t text);
    int (*list_number)(void *list, uint32_t attribute, uint64_t number);

    int (*clock)(void *definitions, uint64_t ticks, uint64_t offset, uint64_t length, uint64_t utc_ns);
    int (*text)(void *definitions, uint32_t self, const char *text);
    int (*attribute)(void *definitions, uint32_t self, uint32_t name, uint32_t description, uint8_t type);
    int (*node)(void *definitions, uint32_t self, uint32_t name, uint32_t kind, uint32_t parent);
    int (*process)(void *definitions, uint32_t self, uint32_t name, uint8_t type, uint32_t node, uint32_t creator);
    int (*location)(void *definitions, uint64_t self, uint32_t name, uint8_t type, uint64_t events, uint32_t process);
    int (*region)(void *definitions, uint32_t self, uint32_t name, uint32_t plain_name, uint32_t description,
                  uint8_t role, uint8_t paradigm, uint32_t flags, uint32_t file, uint32_t first, uint32_t last);
    int (*group)(void *definitions, uint32_t self, uint32_t name, uint8_t type, uint8_t paradigm, uint32_t flags,
                 uint32_t count, const uint64_t *members);
    int (*communicator)(void *definitions, uint32_t self, uint32_t name, uint32_t group, uint32_t parent,
                        uint32_t flags);
    int (*intercommunicator)(void *definitions, uint32_t self, uint32_t name, uint32_t left, uint32_t right,
                             uint32_t common, uint32_t flags);
    int (*window)(void *definitions, uint32_t self, uint32_t name, uint32_t communicator, uint32_t flags);

    int (*enter)(void *events, void *list, uint64_t at, uint32_t region);
    int (*leave)(void *events, void *list, uint64_t at, uint32_t region);
    int (*send)(void *events, void *list, uint64_t at, uint32_t to, uint32_t communicator, uint32_t tag,
                uint64_t bytes);
    int (*isend)(void *events, void *list, uint64_t at, uint32_t to, uint32_t communicator, uint32_t tag,
                 uint64_t bytes, uint64_t request);
    int (*sent)(void *events, void *list, uint64_t at, uint64_t request);
    int (*post)(void *events, void *list, uint64_t at, uint64_t request);
    int (*receive)(void *events, void *list, uint64_t at, uint32_t from, uint32_t communicator, uint32_t tag,
                   uint64_t bytes);
    int (*ireceive)(void *events, void *list, uint64_t at, uint32_t from, uint32_t communicator, uint32_t tag,
                    uint64_t bytes, uint64_t request);
    int (*collective_begin)(void *events, void *list, uint64_t at);
    int (*collective_end)(void *events, void *list, uint64_t at, uint8_t operation, uint32_t communicator,
                          uint32_t root, uint64_t sent, uint64_t received);
    int (*fence_begin)(void *events, void *list, uint64_t at);
    int (*fence_end)(void *events, void *list, uint64_t at, uint8_t operation, uint32_t level, uint32_t window,
                     uint32_t root, uint64_t sent, uint64_t received);
    int (*put)(void *events, void *list, uint64_t at, uint32_t window, uint32_t remote, uint64_t bytes,
               uint64_t number);
    int (*get)(void *events, void *list, uint64_t at, uint32_t window, uint32_t remote, uint64_t bytes,
               uint64_t number);
    int (*atomic)(void *events, void *list, uint64_t at, uint32_t window, uint32_t remote, uint8_t type, uint64_t sent,
                  uint64_t received, uint64_t number);
    int (*complete)(void *events, void *list, uint64_t at, uint32_t window, uint64_t number);
    int (*lock)(void *events, void *list, uint64_t at, uint32_t window, uint32_t remote, uint64_t number, uint8_t type);
    int (*unlock)(void *events, void *list, uint64_t at, uint32_t window, uint32_t remote, uint64_t number);
    int (*collective_post)(void *events, void *list, uint64_t at, uint64_t request);
    int (*collective_done)(void *events, void *list, uint64_t at, uint8_t operation, uint32_t communicator,
                           uint32_t root, uint64_t sent, uint64_t received, uint64_t request);
};

/* Loads the library. False: it is not here; logged with the package that has it. */
bool cs_otf2_load(struct cs_otf2 *otf2);
