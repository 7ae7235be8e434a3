import { addressOf, PLATFORM_NAMES, type Resource } from "../../../platforms/mod.ts";
import { omit, sameJson } from "../../base/values/mod.ts";
import { type AgentGraph, ORIGINAL } from "../../document/graph/mod.ts";

/**
 * Keeps settings of the platform that the code does not set, such as defaults added by the server. Keys that
 * mean something to the graph are not kept: for those, the code leaves the key out on purpose.
 *
 * @param written Resources as the code has them.
 * @param there The same resources on the platform.
 * @param graphOf Reads resources.
 */
export function withKeptSettings<Kind extends Resource>(
  written: readonly Kind[],
  there: readonly Resource[],
  graphOf: (resources: readonly Resource[]) => AgentGraph,
): readonly Kind[] {
  const ours = new Map(written.map((resource) => [addressOf(resource), resource.body]));
  const extra = there.flatMap((resource) => {
    const address = addressOf(resource);
    const own = ours.get(address);
    return own ? Object.keys(resource.body).flatMap((key) => (Object.hasOwn(own, key) ? [] : [{ address, key }])) : [];
  });
  const without = (keys: typeof extra) =>
    meaningOf(
      graphOf(
        there.map((resource) => {
          const gone = keys.flatMap(({ address, key }) => (address === addressOf(resource) ? [key] : []));
          return gone.length === 0 ? resource : { ...resource, body: omit(resource.body, gone) };
        }),
      ),
    );
  const meaning = without([]);
  const isSetting = (keys: typeof extra) => sameJson(without(keys), meaning);
  const kept = extra.length === 0 || isSetting(extra) ? extra : extra.filter((each) => isSetting([each]));
  const remotes = new Map(there.map((resource) => [addressOf(resource), resource.body]));
  return written.map((resource) => {
    const remote = remotes.get(addressOf(resource)) ?? {};
    const own = kept.filter(({ address }) => address === addressOf(resource));
    return { ...resource, body: { ...resource.body, ...Object.fromEntries(own.map(({ key }) => [key, remote[key]])) } };
  });
}

/** A graph without the settings of its platforms. */
function meaningOf(graph: AgentGraph): unknown {
  return { ...graph, source_metadata: omit(graph.source_metadata, [ORIGINAL, ...PLATFORM_NAMES]) };
}
