import * as v from "valibot";
import { DeployError } from "../../../src/base/errors.ts";
import { ID, type PlatformClient } from "../../../src/base/http/mod.ts";
import { pick, quotedList, shown } from "../../../src/base/values/mod.ts";
import {
  type Adapter,
  type DeployEnvironment,
  type RemoteResource,
  type ResourceIds,
  sendIfPresent,
} from "../../deploying/mod.ts";
import { BASE, changesOf, elevenLabsAdapter, getAgent } from "./adapter.ts";

const BRANCHES = v.looseObject({
  results: v.array(v.looseObject({ id: ID, name: v.string(), is_archived: v.nullish(v.boolean()) })),
});

const CREATED = v.looseObject({ created_branch_id: ID, created_version_id: ID });

/** What a branch can be created with: the rest is changed after it. */
const CREATED_WITH = ["conversation_config", "platform_settings", "workflow"];

/** The adapter for an environment; with `branch`, it works on the branch of that name. */
export function elevenLabsAdapterIn({ settings, others }: DeployEnvironment = { settings: {}, others: [] }): Adapter {
  const { branch } = settings;
  if (branch === undefined) return elevenLabsAdapter;
  if (typeof branch === "string" && branch.trim() !== "") return new BranchAdapter(branch, others).adapter();
  throw new DeployError(`Cannot deploy to ElevenLabs: the environment's branch is ${shown(branch)}`, {
    code: "invalid-option",
    path: ["settings", "elevenlabs", "branch"],
    hint: 'Write the name of a branch, such as elevenlabs: { branch: "staging" }',
  });
}

/** A branch of the agent that another environment has. */
class BranchAdapter {
  readonly #name: string;
  readonly #agents: readonly string[];

  constructor(name: string, others: readonly ResourceIds[]) {
    this.#name = name;
    this.#agents = [...new Set(others.flatMap(({ agent }) => (agent === undefined ? [] : [agentIn(agent)])))];
  }

  adapter(): Adapter {
    const { write, list, find } = elevenLabsAdapter;
    return {
      ...elevenLabsAdapter,
      locate: async (client, ids) => await this.#locate(client, ids),
      write: async (client, resource, options) =>
        await (resource.kind === "agent" && !options.remote
          ? this.#create(client, resource.body).then((remote) => write(client, resource, { ...options, remote }))
          : write(client, resource, options)),
      list: async (client, kind) => {
        if (kind !== "agent") return await list(client, kind);
        const id = await this.#idIn(client, this.#agent());
        return id === undefined ? [] : [{ id, name: this.#name }];
      },
      // the only branch of this name, which was not there before
      isBegun: (found) => Object.hasOwn(found, "conversation_config"),
      find: async (client, id) => {
        const found = await this.#idIn(client, agentIn(id));
        if (found === undefined) throw this.#missing(agentIn(id));
        if (id.includes("@") && id !== found) throw this.#other(id);
        return await find(client, found);
      },
      releases: {
        plan: async (_client, ids) => {
          if (ids.agent !== undefined) return [];
          const message = `The branch "${this.#name}" is created from the main branch of agent ${this.#agent()}`;
          return [{ action: "change", message }];
        },
      },
    };
  }

  /** The branch, if the lock file lacks it. */
  async #locate(client: PlatformClient, ids: ResourceIds): Promise<ResourceIds> {
    const agent = ids.agent === undefined ? this.#agent() : agentIn(ids.agent);
    const found = await this.#idIn(client, agent);
    if (ids.agent === undefined) return found === undefined ? {} : { agent: found };
    if (found !== undefined && found !== ids.agent) throw this.#other(ids.agent);
    return {};
  }

  /** `AGENT_ID@BRANCH_ID`; `undefined` if there is no branch of this name. */
  async #idIn(client: PlatformClient, agent: string): Promise<string | undefined> {
    const path = `${BASE}/agents/${encodeURIComponent(agent)}/branches`;
    const about = `the branches of agent ${agent}`;
    const query = { limit: 100, include_archived: true };
    const answer = await sendIfPresent(client, { method: "GET", path, query, about, answer: BRANCHES });
    const found = answer?.results.find(({ name }) => name === this.#name);
    if (!found) return undefined;
    const main = await getAgent(client, agent);
    if (found.is_archived !== true && found.id !== main?.main_branch_id) return `${agent}@${found.id}`;
    const state = found.is_archived === true ? "is archived" : "is the main branch";
    throw new DeployError(`Cannot deploy to branch "${this.#name}" of agent ${agent}: it ${state}`, {
      code: "not-deployable",
      path: ["settings", "elevenlabs", "branch"],
      hint: found.is_archived === true ? "Restore it in the dashboard, or name another branch" : "Leave branch out",
    });
  }

  /** Creates the branch from the main one, with what differs from it. */
  async #create(client: PlatformClient, body: RemoteResource["body"]): Promise<RemoteResource> {
    const agent = this.#agent();
    const main = await this.#read(client, agent);
    if (main?.version === undefined) throw this.#missing(agent);
    const changes = changesOf(main.body, body);
    const request = {
      method: "POST",
      path: `${BASE}/agents/${encodeURIComponent(agent)}/branches`,
      body: {
        ...{ parent_version_id: main.version, name: this.#name, description: "Deployed by Callweave" },
        ...pick(changes, CREATED_WITH),
      },
      about: `branch "${this.#name}" of agent ${agent}`,
      answer: CREATED,
    } as const;
    const { created_branch_id: branch } = await client.send(request);
    const made = await this.#read(client, `${agent}@${branch}`);
    if (made) return made;
    throw client.unusable(request, `names branch ${branch}, which is not there`);
  }

  async #read(client: PlatformClient, id: string): Promise<RemoteResource | undefined> {
    const [found] = await elevenLabsAdapter.read(client, { agent: id });
    return found;
  }

  /** The agent of the other environments. */
  #agent(): string {
    const [only, ...more] = this.#agents;
    if (only !== undefined && more.length === 0) return only;
    const state =
      only === undefined
        ? "no other environment has the agent that it is a branch of"
        : `the other environments have several agents: ${quotedList(this.#agents)}`;
    throw new DeployError(`Cannot deploy to branch "${this.#name}": ${state}`, {
      code: "agent-missing",
      path: ["settings", "elevenlabs", "branch"],
      hint: "Apply an environment without a branch first, or record the branch: callweave deploy import AGENT_ID@BRANCH_ID",
    });
  }

  #missing(agent: string): DeployError {
    return new DeployError(`Cannot read branch "${this.#name}": ElevenLabs has no such branch of agent ${agent}`, {
      code: "platform-missing",
      path: ["settings", "elevenlabs", "branch"],
      hint: "Check the name of the branch, the id of the agent, and the key of the environment",
    });
  }

  #other(id: string): DeployError {
    return new DeployError(`Cannot use ${id}: the environment names branch "${this.#name}" of ElevenLabs`, {
      code: "wrong-place",
      path: ["settings", "elevenlabs", "branch"],
      hint: "Name the branch that the lock file has, or remove its entry from the lock file",
    });
  }
}

const agentIn = (id: string) => id.split("@")[0] ?? id;
