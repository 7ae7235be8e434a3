import { make } from "../common/mod.ts";
import { hearingSection } from "./audio.ts";
import type { ReportSource } from "./data.ts";
import type { ShownScenario } from "./filter.ts";
import { latencySection } from "./latency.ts";
import { comparison, coverageSection, notices, runFacts, summaryOf } from "./overview.ts";
import { badge, problemList, section, usageTable } from "./pieces.ts";
import { reasons, scenarioFacts } from "./scenario.ts";
import { plainTranscript } from "./transcript.ts";
import { callSections, trialFacts, withoutTranscript } from "./trial.ts";

/** The page for printing: the overview, then each scenario and trial that matches the filter, in full. */
export function paper(source: ReportSource, shown: readonly ShownScenario[], picture: Node): HTMLElement {
  const { data } = source;
  const element = make(
    "div",
    { class: "paper" },
    make(
      "article",
      {},
      make("h1", {}, data.run.agent, " ", badge(data.run.verdict)),
      make("h2", {}, summaryOf(data)),
      runFacts(data),
      notices(data),
      ...reasons(data.scenarios),
      comparison(data),
      coverageSection(data),
      make("div", { class: "picture" }, picture),
      hearingSection(data.heard),
      latencySection(data.latency),
      section("Usage", usageTable(data.run.usage)),
    ),
    ...shown.map((each) => scenarioPaper(source, each)),
  );
  // collapsed parts cannot be opened on paper
  for (const each of element.querySelectorAll("details")) each.open = true;
  return element;
}

function scenarioPaper(source: ReportSource, { scenario, trials }: ShownScenario): HTMLElement {
  const { nodes } = source.data;
  return make(
    "article",
    {},
    make("h2", {}, scenario.name, " ", badge(scenario.verdict)),
    scenarioFacts(scenario),
    ...trials.map((trial) => {
      const call = source.callOf(trial);
      return make(
        "section",
        {},
        make("h3", {}, `Trial ${trial.key} `, badge(trial.status)),
        trialFacts(call, trial),
        call.problems.length > 0 && problemList(call.problems, "bad"),
        call.warnings.length > 0 && problemList(call.warnings, "warn"),
        section("Transcript", call.isWithoutTranscript ? withoutTranscript() : plainTranscript(call, nodes)),
        ...callSections(call, nodes),
      );
    }),
  );
}
