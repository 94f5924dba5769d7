// Horizontal rule: independent maps that are too small to fill a GPU share one dispatch.
#include "schedule/fuse/merge.h"

namespace tessera::schedule {

namespace {

void batch_small_maps(Fusion& fusion) {
  const Groups& groups = fusion.groups;
  int batch = -1;
  const int count = groups.size();
  for (int i = 0; i < count; ++i) {
    const Group& group = groups[i];
    if (group.merged || group.kind != Kernel::Kind::kMap || groups.in_ranges(group.domain) || group.table >= 0)
      continue;
    if (!at_most(fusion.graph, SizeRef::numel(group.domain), fusion.model.small_map, fusion.guards)) continue;
    if (batch < 0 || !add_part(fusion, batch, i)) batch = i;
  }
}

}  // namespace

extern const HorizontalRule kSmallMaps{"small maps", batch_small_maps};

}  // namespace tessera::schedule
