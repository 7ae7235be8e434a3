import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { scenarios } from "../../../../examples/help-desk/scenarios.ts";
import { type RunReport, run } from "../../../../src/run/runner/mod.ts";

export { helpDesk };

/** Texts that would run as a script, or end the element that they stand in, if the page took them for HTML. */
export const HOSTILE = '<img src=x onerror="attacked()"></script><script>attacked()</script><!--\u2028';

/** Names and mocks of a scenario that tries to attack the page. */
const attack = {
  name: `attack ${HOSTILE}`,
  says: [`Where is order A-1042? ${HOSTILE}`, "No, that is all."],
  tool_mocks: [{ tool_name: "look_up_order", output: { status: HOSTILE, arrives: HOSTILE } }],
  visits: ["look_up"],
  includes: [HOSTILE, "never said"],
};

/** Runs the help desk on the offline model. One caller of three asks for another thing, so that calls fail too. */
export async function helpDeskReport(repeat: number): Promise<RunReport> {
  const calls = new Map<string, number>();
  return await run(helpDesk, [...scenarios, attack], {
    store: false,
    repeat: { times: repeat, sequential: false, gate: { minPassRate: 0.6 } },

    createCaller: ({ name }) => {
      if (!name.startsWith("takes")) return undefined;
      const count = (calls.get(name) ?? 0) + 1;
      calls.set(name, count);
      if (count % 3 !== 0) return undefined;
      const lines = ["I want to speak to your manager!", "No, goodbye."];
      return {
        next: async () => {
          const say = lines.shift();
          return say === undefined ? { hangUp: "caller_exhausted" } : { say };
        },
      };
    },
  });
}
