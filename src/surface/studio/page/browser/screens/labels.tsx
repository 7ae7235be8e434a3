import { counted, dateText, STATUS_WORDS } from "../../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../../api/mod.ts";
import { AgentFilter, Choice, Nothing, Sign, Wait } from "../parts/mod.ts";
import { changes, linkTo, route, setSettings, studio, useLoaded } from "../state/mod.ts";

const REASONS = [
  ["failed", "failed"],
  ["low-confidence", "judge is unsure"],
  ["judge-and-rule", "judge and rule disagree"],
  ["new-group", "no scenario tries it"],
  ["random", "sampled at random"],
] as const;

/** Calls that are worth a look, and how far people and judge agree. */
export function LabelsScreen({ project }: { readonly project: StudioAnswer<"project"> }) {
  const { query } = route.value;
  const reason = REASONS.find(([name]) => name === query.get("reason"))?.[0];
  const agent = query.get("agent") || undefined;
  const isBlind = query.get("blind") !== "false";
  const queue = useLoaded(`queue ${agent} ${reason} ${changes.labels.value} ${changes.runs.value}`, (signal) =>
    studio.queue({ agent, reason }, { signal }),
  );
  return (
    <article>
      <h2>Labels</h2>
      <p class="quiet">
        People say which calls were good. This shows where the judge is wrong, and becomes examples for it.
      </p>
      <div class="beside">
        <section>
          <h3>Worth a look</h3>
          <div class="filters">
            {project.agents.length > 1 && <AgentFilter agents={project.agents} />}
            <Choice
              label="Reason"
              chosen={reason ?? ""}
              choices={[["", "all"], ...REASONS]}
              onChoose={(chosen) => setSettings({ reason: chosen })}
            />
            <label class="check">
              <input
                type="checkbox"
                checked={isBlind}
                onChange={() => setSettings({ blind: isBlind ? "false" : undefined })}
              />
              hide others' labels
            </label>
          </div>
          <Wait loaded={queue} what="the queue">
            {({ items }) =>
              items.length === 0 ? (
                <Nothing title="Nothing is waiting for you">
                  <p>
                    Calls come here when they fail, when the judge is unsure, when no scenario tries what their callers
                    want, and some at random.
                  </p>
                </Nothing>
              ) : (
                <ol class="cards queue">
                  {items.map(({ call, reasons, labels }) => (
                    <li key={call.id}>
                      <h4>
                        <a
                          href={linkTo(["calls", call.id], { blind: isBlind ? "true" : undefined })}
                          class="trial-link"
                        >
                          <Sign status={call.status} />
                          {call.scenario} <span class="quiet">trial {call.trial}</span>
                        </a>
                      </h4>
                      <p>{reasons.map(({ words }) => words).join("; ")}</p>
                      <p class="quiet">
                        {STATUS_WORDS[call.status]}, {call.agent}, {dateText(call.startedAt)}
                        {labels > 0 && `, labelled by ${labels === 1 ? "one person" : `${labels} people`}`}
                      </p>
                    </li>
                  ))}
                </ol>
              )
            }
          </Wait>
        </section>
        <AgreementPart />
      </div>
    </article>
  );
}

function AgreementPart() {
  const loaded = useLoaded(`agreement ${changes.labels.value}`, (signal) => studio.agreement({}, { signal }));
  return (
    <section>
      <h3>Agreement</h3>
      <Wait loaded={loaded} what="the agreement">
        {({ people, judge }) => (
          <>
            <AgreementTable
              title="People with the judge"
              rows={judge.map(({ criterion, ...row }) => ({ name: criterion ?? "the whole call", ...row }))}
              empty="Label calls that a judge has scored: then you see where it is wrong."
            />
            <AgreementTable
              title="People with each other"
              rows={people.map(({ one, other, ...row }) => ({ name: `${one} and ${other}`, ...row }))}
              empty="Nobody else has labelled the same calls yet."
            />
            <ExamplesPart />
          </>
        )}
      </Wait>
    </section>
  );
}

/** The labels as a file for `judge calibrate`, and how many say nothing for certain. */
function ExamplesPart() {
  const loaded = useLoaded(`examples ${changes.labels.value}`, (signal) => studio.examples({ limit: 200 }, { signal }));
  return (
    <>
      <h4>Examples for a judge</h4>
      <Wait loaded={loaded} what="the examples">
        {({ items, disputed, nextCursor }) =>
          items.length + disputed.length === 0 ? (
            <p class="quiet">Label calls or turns about a criterion: each becomes an example with a known verdict.</p>
          ) : (
            <>
              <p>
                {nextCursor !== null && "more than "}
                {counted(items.length, "example")}
                {disputed.length > 0 && `; people disagree on ${counted(disputed.length, "other")}`}
              </p>
              <p>
                <a class="button" href={studio.address("exportExamples", { file: "judge.jsonl" })} download>
                  Save as JSON lines
                </a>{" "}
                <span class="quiet">
                  for <code>npx callweave judge calibrate judge.jsonl</code>
                </span>
              </p>
            </>
          )
        }
      </Wait>
    </>
  );
}

interface AgreementRow {
  readonly name: string;
  readonly calls: number;
  readonly agreed: number;
  readonly kappa: number | null;
  readonly disagreements: readonly string[];
}

function AgreementTable({
  title,
  rows,
  empty,
}: {
  readonly title: string;
  readonly rows: readonly AgreementRow[];
  readonly empty: string;
}) {
  return (
    <>
      <h4>{title}</h4>
      {rows.length === 0 ? (
        <p class="quiet">{empty}</p>
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <td />
                <th scope="col">agreed</th>
                <th scope="col">
                  <abbr title="Cohen's kappa: agreement beyond chance. 1 is full agreement, 0 is chance.">kappa</abbr>
                </th>
                <th scope="col">disagree on</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, calls, agreed, kappa, disagreements }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>
                    {agreed} of {counted(calls, "call")}
                  </td>
                  <td>{kappa === null ? "–" : kappa.toFixed(2)}</td>
                  <td>
                    {disagreements.slice(0, MOST_LINKS).map((call, index) => (
                      <a key={call} class="gap" href={linkTo(["calls", call])}>
                        call {index + 1}
                      </a>
                    ))}
                    {disagreements.length > MOST_LINKS && `and ${disagreements.length - MOST_LINKS} more`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

const MOST_LINKS = 8;
