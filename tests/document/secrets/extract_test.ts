import assert from "node:assert/strict";
import { test } from "node:test";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";
import { extractSecrets, findSecrets } from "../../../src/document/secrets/mod.ts";

function graphWith(tool: object, more: object = {}): AgentGraph {
  return parseGraph({ entry_node_id: "ask", nodes: { ask: { state_prompt: "Ask.", tools: [tool] } }, ...more });
}

function toolAfter(tool: object): unknown {
  return extractSecrets(graphWith(tool)).graph.nodes.ask?.tools[0];
}

test("extractSecrets() extracts cal.com keys, and names the variable after tool and key", () => {
  const tool = {
    name: "book",
    type: "book_appointment_cal",
    metadata: { retell: { cal_api_key: "not-a-prefix", id: 3 } },
  };
  const { graph, values } = extractSecrets(graphWith(tool));
  assert.deepEqual(graph.nodes.ask?.tools[0]?.metadata, { retell: { cal_api_key: "{{env:BOOK_CAL_API_KEY}}", id: 3 } });
  assert.deepEqual(values, { BOOK_CAL_API_KEY: "not-a-prefix" });
});

test("extractSecrets() keeps the scheme of an Authorization header and extracts the token", () => {
  const tool = {
    name: "look-up",
    metadata: { retell: { headers: { Authorization: "Bearer abc", Accept: "text/html" } } },
  };
  const headers = { Authorization: "Bearer {{env:LOOK_UP_AUTHORIZATION}}", Accept: "text/html" };
  assert.deepEqual(toolAfter(tool), { name: "look-up", description: "", metadata: { retell: { headers } } });
});

test("extractSecrets() extracts random values from headers of any name", () => {
  const headers = { "X-Access": "0f3c9a5be1d24876a1b2c3d4e5f60718", "X-Tenant": "acme-dental", "X-Version": "2024-11" };
  const { values } = extractSecrets(graphWith({ name: "t", metadata: { retell: { headers } } }));
  assert.deepEqual(values, { T_X_ACCESS: headers["X-Access"] });
});

test("extractSecrets() extracts keys of any kind from code, and no plain words", () => {
  const code = (text: string) => extractSecrets(graphWith({ name: "t", metadata: { retell: { code: text } } }));
  for (const name of ["apiKey", "secretAccessKey", "signing_key", "'x-functions-key'", "clientSecret", "passwd"])
    assert.deepEqual(Object.values(code(`call({ ${name}: "abcd1234efgh" })`).values), ["abcd1234efgh"], name);
  for (const text of ['sortKey: "created_at_desc"', 'primaryKey = "customer_id"', 'The access key: "the front door"'])
    assert.deepEqual(code(text).variables, [], text);
});

test("extractSecrets() keeps people, versions and words in URLs", () => {
  const urls = ["https://alice@x.com/a", "https://x.com/token/refresh", "https://x.com/key/12345678", "sip:desk@x.com"];
  for (const url of [
    ...urls,
    "https://x.com/@john12345/post",
    "https://x.com/api/v2/appointments2024",
    "https://john.smith1@x.com",
  ])
    assert.deepEqual(extractSecrets(graphWith({ name: "t", url })).variables, [], url);
});

test("extractSecrets() reads headers in lists of names and values, and in JSON Schemas", () => {
  const metadata = {
    vapi: {
      headers: { type: "object", properties: { "X-Api-Key": { type: "string", value: "k1" } } },
      more: [{ key: "Authorization", value: "Basic dTpw" }],
    },
  };
  const { values } = extractSecrets(graphWith({ name: "t", metadata }));
  assert.deepEqual(values, { T_AUTHORIZATION: "dTpw", T_X_API_KEY: "k1" });
});

test("extractSecrets() does not mistake an e-mail address after a URL for the URL's user", () => {
  const graph = graphWith({ name: "t", url: "" });
  for (const text of ["See https://x.com,john12345@x.com", "(https://x.com)|john12345@x.com"])
    assert.deepEqual(extractSecrets({ ...graph, source_metadata: { general_prompt: text } }).variables, [], text);
});

for (const [what, url, clean] of [
  ["query parameters", "https://x.com/a?token=t1&page=2", "https://x.com/a?token={{env:T_URL_TOKEN}}&page=2"],
  ["passwords", "https://me:pw@x.com/a", "https://me:{{env:T_URL_PASSWORD}}@x.com/a"],
  ["Slack's paths", "https://hooks.slack.com/services/T/B/x", "https://hooks.slack.com/services/{{env:T_URL_TOKEN}}"],
  ["random paths", "https://x.com/flow/s5dWZ0MRl0X7PV65/in", "https://x.com/flow/{{env:T_URL_TOKEN}}/in"],
  ["marked paths", "https://x.com/in/token-a1b2c3d4", "https://x.com/in/{{env:T_URL_TOKEN}}"],
  ["tokens in a password's place", "https://a1b2c3d4@x.com/a", "https://{{env:T_URL_PASSWORD}}@x.com/a"],
  ["letters in a password's place", "https://nfzXZzQJXGsntPkW@x.com", "https://{{env:T_URL_PASSWORD}}@x.com"],
  ["announced paths", "https://x.com/key/abcdefg1/in", "https://x.com/key/{{env:T_URL_TOKEN}}/in"],
  ["passwords of telephones", "sip:desk:pw1@pbx.x.com", "sip:desk:{{env:T_SIP_PASSWORD}}@pbx.x.com"],
  ["short ids of webhooks", "https://x.com/hooks/abc123def456", "https://x.com/hooks/{{env:T_URL_TOKEN}}"],
  [
    "ids of webhooks",
    "https://n8n.io/webhook/3f2a9f64-1111-4222-8333-abcdefabcdef/in",
    "https://n8n.io/webhook/{{env:T_URL_TOKEN}}/in",
  ],
] as const)
  test(`extractSecrets() extracts ${what} from URLs`, () => {
    assert.equal(extractSecrets(graphWith({ name: "t", url })).graph.nodes.ask?.tools[0]?.url, clean);
  });

for (const url of [
  "https://api.example.com/v1/customers/find-by-phone-number",
  "https://example.com/webhook/retell-inbound?lang=en",
  "https://example.com/webhook/retell-v17/inbound2?monkey=banana",
  "https://example.com/api/token-refresh/tokenize-card",
  "https://example.com/assistants/3f2a9f64-1111-4222-8333-abcdefabcdef",
  "https://example.com/api/listOpenOrders2024ForV2/find?by=customerPhoneNumber2",
  "https://api.retellai.com/get-agent/agent_3887f4de3b8f8189fe849728d6",
  "https://example.com/{{customer_token}}?token={{token}}",
])
  test(`extractSecrets() finds nothing in ${url}`, () => {
    assert.deepEqual(findSecrets(graphWith({ name: "t", url })), []);
  });

test("extractSecrets() recognizes secret names written as one word", () => {
  const metadata = { vapi: { authtoken: "a-1", headers: { "X-AuthKey": "b-2" } } };
  assert.deepEqual(extractSecrets(graphWith({ name: "t", metadata })).values, {
    T_AUTHTOKEN: "a-1",
    T_X_AUTH_KEY: "b-2",
  });
});

test("extractSecrets() ignores keys that only sound secret", () => {
  const metadata = {
    vapi: {
      maxTokens: 5,
      credentialId: "cred-1",
      tokenizer: "cl100k",
      key: "#",
      publicKey: "pub",
      secret: `$\{SECRET}`,
    },
    retell: { headers: { "Content-Type": "application/json", Authorization: "Bearer {{jwt}}" } },
  };
  const parameters = { type: "object", properties: { password: { type: "string", description: "The password" } } };
  const tool = { name: "t", parameters, response_variables: { token: "data.token" }, metadata };
  assert.deepEqual(findSecrets(graphWith(tool)), []);
});

test("extractSecrets() never changes ids, names and kinds", () => {
  const graph = parseGraph({
    entry_node_id: "password-1",
    nodes: { "password-1": { tools: [{ name: "password-1", metadata: { x: { password: "password-1" } } }] } },
  });
  const clean = extractSecrets(graph).graph;
  assert.equal(clean.entry_node_id, "password-1");
  assert.equal(clean.nodes["password-1"]?.tools[0]?.name, "password-1");
  assert.deepEqual(clean.nodes["password-1"]?.tools[0]?.metadata, { x: { password: "{{env:PASSWORD_1_PASSWORD}}" } });
});

test("extractSecrets() extracts a service's key from a prompt, and the same secret everywhere else", () => {
  const source_metadata = {
    general_prompt: "Use sk-abcdefghijklmnop1234, then open-sesame",
    retell: { secret: "open-sesame" },
  };
  const { graph, variables } = extractSecrets(graphWith({ name: "t" }, { source_metadata }));
  assert.equal(graph.source_metadata.general_prompt, "Use {{env:TOKEN}}, then {{env:SECRET}}");
  const secret = variables.find(({ name }) => name === "SECRET");
  assert.deepEqual(secret?.places, [
    ["source_metadata", "general_prompt"],
    ["source_metadata", "retell", "secret"],
  ]);
});

test("extractSecrets() uses one variable per value, without the tool's name if several tools have it", () => {
  const tools = ["check", "book"].map((name) => ({ name, metadata: { retell: { cal_api_key: "same-key" } } }));
  const graph = parseGraph({ entry_node_id: "a", nodes: { a: { tools } } });
  assert.deepEqual(extractSecrets(graph).values, { CAL_API_KEY: "same-key" });
});

test("extractSecrets() numbers different values with the same name, and avoids names in use", () => {
  const agent = { api_key: "first-one", note: "{{env:API_KEY}}", more: { api_key: "second-one" } };
  const { values } = extractSecrets(graphWith({ name: "t" }, { source_metadata: { vapi: agent } }));
  assert.deepEqual(values, { API_KEY_2: "first-one", API_KEY_3: "second-one" });
});

test("extractSecrets() gives the same names for any order of keys", () => {
  const [one, two] = [
    { b: { token: "t-1" }, a: { token: "t-2" } },
    { a: { token: "t-2" }, b: { token: "t-1" } },
  ].map((vapi) => extractSecrets(graphWith({ name: "t" }, { source_metadata: { vapi } })));
  assert.deepEqual(one?.values, two?.values);
});

test("extractSecrets() is idempotent", () => {
  const metadata = { retell: { headers: { Authorization: "Bearer abc" }, url: "https://x.com/?key=123456" } };
  const { graph } = extractSecrets(graphWith({ name: "t", url: "https://x.com/?sig=1", metadata }));
  assert.deepEqual(extractSecrets(graph), { graph, variables: [], values: {} });
});

test("extractSecrets() lists variables without their values", () => {
  const { variables } = extractSecrets(graphWith({ name: "t", metadata: { retell: { cal_api_key: "tell-nobody" } } }));
  assert.ok(!JSON.stringify(variables).includes("tell-nobody"));
});
