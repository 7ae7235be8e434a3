import type { ResourceIds } from "../../../platforms/mod.ts";
import { holdsAll, readIntent, removeIntent, writeLockedAgent } from "../state/mod.ts";
import type { Deployment } from "./deployment.ts";

/** Adds to the lock file's ids the resource that an interrupted apply created without recording its id. */
export async function withCreated(
  { adapter, client, folder, place, hide, locked }: Deployment,
  ids: ResourceIds,
): Promise<ResourceIds> {
  const intent = await readIntent(folder, place);
  if (!intent) return ids;
  const isKnown = ids[intent.address] !== undefined && !intent.known.includes(ids[intent.address] ?? "");
  const listed = isKnown ? [] : await adapter.list(client, intent.kind);
  for (const { id } of listed) {
    if (intent.known.includes(id)) continue;
    const found = (await adapter.read(client, { [intent.address]: id })).find((each) => each.id === id);
    if (!found || !holdsAll(hide(found.body).body, intent.body)) continue;
    const all = { ...ids, [intent.address]: id };
    await writeLockedAgent(folder, place, { ...locked, ids: all });
    await removeIntent(folder, place);
    return all;
  }
  await removeIntent(folder, place);
  return ids;
}
