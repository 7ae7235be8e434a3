import type { PlatformClient } from "../../../src/base/http/mod.ts";
import { type JsonObject, records } from "../../../src/base/values/mod.ts";
import type { NumberTarget, PhoneNumber, PhoneNumbers } from "../../deploying/mod.ts";
import { answerShape, listRetell } from "./requests.ts";

/** Phone numbers of Retell: a list of agents with their share of the calls. */
export const retellNumbers: PhoneNumbers = {
  list: async (client) => (await listRetell(client, "phone-number")).map(asNumber),
  point: async (client: PlatformClient, { id }: PhoneNumber, target: NumberTarget) => {
    const { id: agent_id, version } = target;
    const agent = { agent_id, weight: 1, ...(version === undefined ? {} : { agent_version: version }) };
    const request = {
      method: "PATCH",
      path: `/update-phone-number/${encodeURIComponent(id)}`,
      body: { inbound_agents: [agent] },
      about: `phone number ${id}`,
      answer: answerShape("phone-number", { id }),
    } as const;
    const now = asNumber(await client.send(request));
    if (now.targets.length === 1 && now.targets[0]?.id === agent_id) return now;
    throw client.unusable(request, `does not name agent ${agent_id} alone`);
  },
};

function asNumber(answer: JsonObject): PhoneNumber {
  const number = String(answer.phone_number);
  const targets = records(answer.inbound_agents).map(
    ({ agent_id: id, agent_version: version, weight }): NumberTarget => {
      const isNamed = typeof version === "number" || typeof version === "string";
      return {
        kind: "agent",
        id: String(id),
        ...(isNamed ? { version } : {}),
        ...(typeof weight === "number" ? { weight } : {}),
      };
    },
  );
  return { id: number, number, targets };
}
