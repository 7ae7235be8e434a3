import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { emit } from "../../../../platforms/mod.ts";
import { ROOT } from "../../cli/_process.ts";
import { hotel, TOPICS } from "./_hotel.ts";

/** An agent on which a product owner's journeys are walked, with three scenarios that fail for one prompt. */
export interface JourneyProject {
  /** How the studio names the agent. */
  readonly name: string;
  /** Where the project's files are. */
  readonly folder: string;
  readonly source: string;
  /** Nodes of the picture. */
  readonly nodes: number;
  /** The node whose prompt is wrong, the wrong words, and the right ones. */
  readonly node: string;
  readonly wrong: string;
  readonly right: string;
  /** What the agent says with the right ones. */
  readonly says: string;
  /** What a caller says to get there. */
  readonly asks: string;
  /** The node that transfers, the one before, and what the caller has said there. */
  readonly transfer: { readonly scenario: string; readonly from: string; readonly to: string; readonly why: string };
}

/** The help desk as code: its source is a module of the project. */
export function deskProject(baseUrl: string): JourneyProject {
  const folder = mkdtempSync(join(tmpdir(), "callweave-journeys-"));
  const source = join(folder, "flow.ts");
  const code = readFileSync(join(ROOT, "examples", "help-desk", "flow.ts"), "utf8");
  writeFileSync(source, code.replace("../../mod.ts", pathToFileURL(join(ROOT, "mod.ts")).href));
  const broken = "puts a broken lamp through to a technician";
  writeProject(folder, source, baseUrl, [
    ...["today", "now", "at once"].map((when) => ({
      name: `wants the manager ${when}`,
      says: ["Where is my order?", `I want to speak to your manager ${when}!`, "Thank you, goodbye."],
      includes: ["calls back tomorrow"],
    })),
    { name: broken, says: ["My lamp is broken.", "No, it is still dark."], visits: ["check_lamp", "technician"] },
  ]);
  return {
    ...{ name: "help-desk", folder, source, nodes: 14, node: "manager" },
    ...{
      wrong: "calls back today",
      right: "calls back tomorrow",
      says: "calls back tomorrow",
      asks: "I want to speak to your manager!",
    },
    transfer: { scenario: broken, from: "check_lamp", to: "technician", why: "Lamp does not light up" },
  };
}

/** A hotel's reception with 41 nodes, as a file of Retell. */
export function hotelProject(baseUrl: string): JourneyProject {
  const folder = mkdtempSync(join(tmpdir(), "callweave-journeys-"));
  const source = join(folder, "hotel.json");
  writeFileSync(source, `${JSON.stringify(emit(hotel, "retell").config, null, 2)}\n`);
  const bill = "is put through to the accounts";
  const answers = TOPICS.map((topic) => `I have a question about the ${topic}.`);
  writeProject(folder, source, baseUrl, [
    ...["today", "now", "at once"].map((when) => ({
      name: `asks for parking ${when}`,
      says: [`I have a question about parking ${when}.`, ...answers],
      includes: ["in front of the hotel"],
    })),
    { name: bill, says: ["I have a question about billing.", ...answers], visits: ["billing_note", "billing_bye"] },
  ]);
  return {
    ...{ name: "hotel reception", folder, source, nodes: 41, node: "parking_ask" },
    ...{
      wrong: 'Do the step "ask" of parking, in one sentence.',
      right: "Say that cars stand in front of the hotel.",
      says: "in front of the hotel",
      asks: "I have a question about parking.",
    },
    transfer: { scenario: bill, from: "billing_note", to: "billing_bye", why: "Caller asks about the receipt" },
  };
}

function writeProject(folder: string, source: string, baseUrl: string, scenarios: readonly object[]): void {
  const config = { source, tests: "scenarios.json", environments: { staging: { to: "retell", baseUrl } } };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "scenarios.json"), JSON.stringify(scenarios));
  writeFileSync(join(folder, "callweave.config.json"), JSON.stringify(config));
}
