import type { Loss } from "../../../platform.ts";
import type { Fault } from "../../api/mod.ts";
import type { LossCode, LossList } from "../common/mod.ts";

/** Reports what was changed in settings that came from another format; the code depends on what became of a setting. */
export function reportFaults(
  faults: readonly Fault[],
  losses: LossList,
  codes: { readonly [Kind in Loss["kind"]]: LossCode } = { emulated: "setting-corrected", dropped: "setting-dropped" },
): void {
  for (const { at, ...fault } of faults) losses.add({ code: codes[fault.kind], path: at, ...fault });
}
