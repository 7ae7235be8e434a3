import { type JsonObject, records } from "../../values/mod.ts";
import type { PlatformClient } from "../http/mod.ts";
import type { NumberTarget, PhoneNumber, PhoneNumbers } from "./adapter.ts";
import { sendForObject } from "./requests.ts";
import { listRetell } from "./retell_requests.ts";

/** Phone numbers of Retell: a list of agents with their share of the calls. */
export const retellNumbers: PhoneNumbers = {
  list: async (client) => (await listRetell(client, "phone-number")).map(asNumber),
  point: async (client: PlatformClient, { id }: PhoneNumber, target: NumberTarget) => {
    const { id: agent_id, version } = target;
    const agent = { agent_id, weight: 1, ...(version === undefined ? {} : { agent_version: version }) };
    return asNumber(
      await sendForObject(client, {
        method: "PATCH",
        path: `/update-phone-number/${encodeURIComponent(id)}`,
        body: { inbound_agents: [agent] },
        about: `phone number ${id}`,
      }),
    );
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
