/* The yardstick of `archives.rs`: the reference library reads an archive location by location, and hands
   over every event. Prints how many, a sum of what they hold, and the seconds of the events alone. */

#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct all {
    OTF2_LocationRef *locations;
    size_t count, room;
    unsigned long long events, sum;
};

static OTF2_CallbackCode location(void *user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                                  uint64_t events, OTF2_LocationGroupRef group) {
    struct all *all = user;
    (void)name, (void)type, (void)events, (void)group;
    if (all->count == all->room) {
        all->room = 2 * all->room + 16;
        all->locations = realloc(all->locations, all->room * sizeof *all->locations);
        if (!all->locations) exit(1);
    }
    all->locations[all->count++] = self;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode border(OTF2_LocationRef self, OTF2_TimeStamp time, uint64_t at, void *user,
                                OTF2_AttributeList *list, OTF2_RegionRef region) {
    struct all *all = user;
    (void)self, (void)at, (void)list;
    all->events++;
    all->sum += time + region;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode metric(OTF2_LocationRef self, OTF2_TimeStamp time, uint64_t at, void *user,
                                OTF2_AttributeList *list, OTF2_MetricRef metric, uint8_t count, const OTF2_Type *types,
                                const OTF2_MetricValue *values) {
    struct all *all = user;
    (void)self, (void)at, (void)list, (void)types;
    all->events++;
    all->sum += time + metric;
    for (int value = 0; value < count; value++) all->sum += values[value].unsigned_int;
    return OTF2_CALLBACK_SUCCESS;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

int main(int count, char **words) {
    struct all all = {0};
    uint64_t read;
    OTF2_Reader *reader = count > 1 ? OTF2_Reader_Open(words[1]) : NULL;
    if (!reader) return 1;
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *of_definitions = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(of_definitions, location);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, of_definitions, &all);
    OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);

    for (size_t at = 0; at < all.count; at++) OTF2_Reader_SelectLocation(reader, all.locations[at]);
    OTF2_Reader_OpenDefFiles(reader);
    OTF2_Reader_OpenEvtFiles(reader);
    for (size_t at = 0; at < all.count; at++) {
        OTF2_DefReader *own = OTF2_Reader_GetDefReader(reader, all.locations[at]);
        if (own) {
            OTF2_Reader_ReadAllLocalDefinitions(reader, own, &read);
            OTF2_Reader_CloseDefReader(reader, own);
        }
        OTF2_Reader_GetEvtReader(reader, all.locations[at]);
    }
    OTF2_Reader_CloseDefFiles(reader);

    OTF2_EvtReaderCallbacks *of_events = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetEnterCallback(of_events, border);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(of_events, border);
    OTF2_EvtReaderCallbacks_SetMetricCallback(of_events, metric);
    double begin = seconds();
    for (size_t at = 0; at < all.count; at++) {
        OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, all.locations[at]);
        if (!events) continue;
        OTF2_Reader_RegisterEvtCallbacks(reader, events, of_events, &all);
        OTF2_Reader_ReadAllLocalEvents(reader, events, &read);
        OTF2_Reader_CloseEvtReader(reader, events);
    }
    printf("%llu %llu %.6f\n", all.events, all.sum, seconds() - begin);
    return 0;
}
