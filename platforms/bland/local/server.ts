import { isRecord, type JsonObject, omit, pick, recordAt, records, repeated } from "../../../src/base/values/mod.ts";
import {
  type LocalAnswer,
  type LocalOptions,
  type LocalPlatform,
  type LocalRequest,
  RateLimit,
  Refusal,
  randomDigits,
  shuffleKeys,
  withDefaultOptions,
} from "../../serving/mod.ts";
import { typeOfNode } from "../traits/mod.ts";

/** A version of a pathway. */
interface Version {
  readonly id: number;
  readonly number: number;
  readonly name: unknown;
  readonly content: JsonObject;
  readonly changed: number;
}

interface Stored {
  readonly id: string;
  readonly workspace: string;
  /** What is edited: name, description, nodes and edges. */
  body: JsonObject;
  readonly versions: Version[];
  /** Number of the version of each environment. */
  readonly published: Map<string, number>;
}

const KEYS = ["name", "description", "nodes", "edges"];
const CONTENT = ["nodes", "edges"];

/**
 * Behaves like Bland's API for pathways, as it is documented: a new pathway is an empty shell, nothing is merged, calls
 * use the published version, which is number 0, and a pathway is deleted by POST.
 */
export class LocalBland implements LocalPlatform {
  readonly #options: Required<LocalOptions>;
  readonly #limit: RateLimit;
  readonly #stored = new Map<string, Stored>();
  #versions = 0;

  constructor(options: LocalOptions) {
    this.#options = withDefaultOptions(options);
    this.#limit = new RateLimit(this.#options.requestsPerSecond, this.#options.now);
    for (const { id, workspace, body } of this.#options.stored) this.#add(id, workspace, pick(body, KEYS));
  }

  answer(request: LocalRequest): LocalAnswer {
    const { keys, random } = this.#options;
    try {
      const workspace = Object.hasOwn(keys, request.key) ? keys[request.key] : undefined;
      if (workspace === undefined) throw new Refusal(401, "Invalid authorization");
      const tooMany = this.#limit.refuse(workspace);
      if (tooMany) return tooMany;
      return { status: 200, body: shuffleKeys(this.#route(request, workspace), random) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: { status: "error", message: error.message } };
    }
  }

  #route({ method, path, body }: LocalRequest, workspace: string): unknown {
    const [, root, id = "", part = "", number = ""] =
      /^\/v1\/(pathway|all_pathway)(?:\/([^/]+))?(?:\/([^/]+))?(?:\/(\d+))?$/.exec(path) ?? [];
    if (method === "GET" && root === "all_pathway" && id === "")
      return [...this.#stored.values()].filter((each) => each.workspace === workspace).map((each) => this.#shown(each));
    if (root !== "pathway" || id === "") throw new Refusal(404, `Cannot ${method} ${path}`);
    if (method === "POST" && part === "" && id === "create") return this.#create(body, workspace);
    const wanted = method === "POST" && part === "" && id === "delete" ? String(body.pathway_id) : id;
    const stored = this.#stored.get(wanted);
    if (stored?.workspace !== workspace) throw new Refusal(404, `Pathway ${wanted} not found`);
    switch (`${method} ${wanted === id ? part : "delete"}${number === "" ? "" : "/n"}`) {
      case "GET ":
        // without its id, as it is documented
        return stored.body;
      case "POST ":
        return { status: "success", message: "Pathway updated", pathway_data: this.#update(stored, body) };
      case "POST delete":
        this.#stored.delete(wanted);
        return { status: "success", message: "Pathway deleted" };
      case "GET versions":
        return stored.versions.map((version) => ({
          ...omit({ ...version }, ["content", "number", "changed"]),
          version_number: version.number,
          created_at: new Date(version.changed).toISOString(),
        }));
      case "POST version":
        return { data: this.#addVersion(stored, body), errors: null };
      case "GET version/n":
        return this.#version(stored, Number(number)).content;
      case "POST version/n":
        return { data: this.#changeVersion(stored, Number(number), body), errors: null };
      case "DELETE version/n":
        stored.versions.splice(stored.versions.indexOf(this.#version(stored, Number(number))), 1);
        return { status: "success" };
      case "POST publish":
        return this.#publish(stored, body);
      default:
        throw new Refusal(404, `Cannot ${method} ${path}`);
    }
  }

  #add(id: string, workspace: string, body: JsonObject): Stored {
    const stored = { id, workspace, body: { nodes: [], edges: [], ...body }, versions: [], published: new Map() };
    this.#stored.set(id, stored);
    return stored;
  }

  /** Creates an empty shell; nodes and edges in the request are ignored. */
  #create(body: JsonObject, workspace: string): JsonObject {
    if (typeof body.name !== "string" || body.name === "") throw new Refusal(400, "name is required");
    const digits = (count: number) => randomDigits(this.#options, count);
    const id = [8, 4, 4, 4, 12].map(digits).join("-");
    this.#add(id, workspace, pick(body, ["name", "description"]));
    return { status: "success", pathway_id: id };
  }

  #update(stored: Stored, body: JsonObject): JsonObject {
    const next = { ...stored.body, ...pick(body, KEYS) };
    checkContent(next);
    stored.body = next;
    return this.#shown(stored);
  }

  #addVersion(stored: Stored, body: JsonObject): JsonObject {
    for (const key of ["name", ...CONTENT]) if (body[key] === undefined) throw new Refusal(400, `${key} is required`);
    checkContent(body);
    const number = Math.max(0, ...stored.versions.map((each) => each.number)) + 1;
    const { name } = body;
    const version = { id: ++this.#versions, number, name, content: pick(body, CONTENT), changed: this.#options.now() };
    stored.versions.push(version);
    return { id: version.id, name, version_number: number, created_at: new Date(version.changed).toISOString() };
  }

  #changeVersion(stored: Stored, number: number, body: JsonObject): JsonObject {
    const version = this.#version(stored, number);
    const content = { ...version.content, ...pick(body, CONTENT) };
    checkContent(content);
    stored.versions[stored.versions.indexOf(version)] = { ...version, content };
    return content;
  }

  /** A version by its number; 0 is the one that answers calls. */
  #version(stored: Stored, wanted: number): Version {
    const number = wanted === 0 ? stored.published.get("production") : wanted;
    const version = stored.versions.find((each) => each.number === number);
    if (!version) throw new Refusal(404, `Version ${wanted} of pathway ${stored.id} not found`);
    return version;
  }

  #publish(stored: Stored, { version_id: id, environment = "production" }: JsonObject): JsonObject {
    const version = stored.versions.find((each) => each.id === id);
    if (!version) throw new Refusal(400, `version_id ${String(id)} does not exist`);
    if (environment !== "production" && environment !== "staging") throw new Refusal(400, "environment is unknown");
    stored.published.set(environment, version.number);
    return { status: "success", message: `Version ${version.number} is published to ${environment}` };
  }

  #shown({ id, body }: Stored): JsonObject {
    return { pathway_id: id, ...body };
  }
}

/** Refuses nodes and edges that Bland's editor could not draw. */
function checkContent({ nodes, edges }: JsonObject): void {
  if (!Array.isArray(nodes) || !nodes.every(isRecord)) throw new Refusal(400, "nodes must be a list of objects");
  if (!Array.isArray(edges) || !edges.every(isRecord)) throw new Refusal(400, "edges must be a list of objects");
  // an entry with the prompt of the whole pathway has neither id nor type
  const own = records(nodes).filter(({ globalConfig, id }) => globalConfig === undefined || id !== undefined);
  for (const node of own) {
    if (typeof node.id !== "string" || node.id === "") throw new Refusal(400, "Every node needs an id");
    if (typeOfNode(node) === "" || !isRecord(node.data)) throw new Refusal(400, `Node ${node.id} needs type and data`);
  }
  const [twice] = repeated(own.map(({ id }) => String(id)));
  if (twice !== undefined) throw new Refusal(400, `Node id ${twice} is used twice`);
  const starts = own.filter((node) => recordAt(node, "data").isStart === true);
  if (starts.length > 1) throw new Refusal(400, "Only one node can be the start node");
  for (const { source, target } of records(edges))
    if (typeof source !== "string" || typeof target !== "string")
      throw new Refusal(400, "Every edge needs source and target");
}
