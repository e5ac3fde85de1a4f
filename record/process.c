#include "record/process.h"

#include <limits.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/settings.h"
#include "record/recorder.h"

void cs_process_note(const char *flavour)
{
    struct cs_journal_header *header = cs_journal_header(cs_recorder.journal);
    struct cs_proc_place place = cs_proc_place("/proc");
    struct cs_proc_stat stat;
    if (cs_proc_stat("/proc", 0, &stat))
        header->process_start = stat.start_ticks;
    header->boot = place.boot;
    header->pid_namespace = place.pid_namespace;
    struct utsname system;
    if (uname(&system) == 0)
        cs_journal_note(cs_recorder.journal, "node", system.nodename);
    char text[PATH_MAX + 4096] = "";
    cs_proc_executable("/proc", getpid(), text, sizeof text);
    cs_journal_note(cs_recorder.journal, "program", text);
    size_t used = cs_proc_arguments("/proc", getpid(), text, sizeof text);
    for (size_t i = 0; i + 1 < used; i++)
        if (!text[i])
            text[i] = ' ';
    cs_journal_note(cs_recorder.journal, "arguments", used ? text : "");
    if (getcwd(text, sizeof text))
        cs_journal_note(cs_recorder.journal, "working_directory", text);
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        cs_journal_note(cs_recorder.journal, "started_utc", text);
    cs_journal_note(cs_recorder.journal, "callsign", CS_VERSION);
    cs_journal_note(cs_recorder.journal, "flavour", flavour);
    for (size_t i = 0; i < cs_settings_count; i++) {
        char key[64];
        snprintf(key, sizeof key, "config.%s", cs_settings[i].name);
        cs_journal_note(cs_recorder.journal, key, cs_setting_text((enum cs_setting_id)i));
    }
}

void cs_process_served(const char *families)
{
    cs_journal_note(cs_recorder.journal, "served_by_callsign", families);
}
