import { useState } from "preact/hooks";
import type { StudioAnswer } from "../../../../api/mod.ts";
import { Choice, Patch, Trouble, useActions, Wait, writtenWords } from "../../parts/mod.ts";
import { may, route, studio, useLoaded } from "../../state/mod.ts";

type Call = StudioAnswer<"call">;

/** What a call becomes: a scenario, and examples for a judge. */
export function CallUses({ call }: { readonly call: Call }) {
  const [isOpen, setOpen] = useState(false);
  const isBlind = route.value.query.get("blind") === "true";
  const hasExamples = !isBlind && call.labels.some(({ criterion }) => criterion !== null);
  return (
    <section class="panel call-uses" aria-label="Use this call">
      <h3>Use this call</h3>
      <p>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Make a scenario of it
        </button>
      </p>
      {isOpen && <ScenarioOfCall call={call} isBlind={isBlind} />}
      {hasExamples && (
        <p>
          <a class="button" href={studio.address("exportExamples", { file: "judge.jsonl", call: call.id })} download>
            Save its labels as examples for a judge
          </a>
        </p>
      )}
    </section>
  );
}

function ScenarioOfCall({ call, isBlind }: { readonly call: Call; readonly isBlind: boolean }) {
  const [caller, setCaller] = useState<"persona" | "script">("persona");
  const [form, setForm] = useState<"code" | "json">("code");
  const loaded = useLoaded(`scenario/${call.id} ${caller} ${isBlind} ${call.labels.length}`, (signal) =>
    studio.callScenario(
      { call: call.id, script: caller === "script" ? "true" : "false", blind: isBlind ? "true" : "false" },
      { signal },
    ),
  );
  return (
    <>
      <Choice
        label="The caller"
        chosen={caller}
        choices={[
          ["persona", "plays a persona"],
          ["script", "says the same words"],
        ]}
        onChoose={setCaller}
      />
      <Choice
        label="Written as"
        chosen={form}
        choices={[
          ["code", "code"],
          ["json", "JSON"],
        ]}
        onChoose={setForm}
      />
      <Wait loaded={loaded} what="the scenario">
        {(made) => (
          <>
            {made.notes.length > 0 && (
              <ul class="notes">
                {made.notes.map((note, index) => (
                  <li key={index}>{note}</li>
                ))}
              </ul>
            )}
            <Patch label="The scenario" text={made[form]} />
            <ScenarioActions key={caller} call={call.id} text={made[form]} isScript={caller === "script"} />
          </>
        )}
      </Wait>
    </>
  );
}

/** Copies a scenario, or writes it into a new file of the project after the patch was read. */
function ScenarioActions({
  call,
  text,
  isScript,
}: {
  readonly call: string;
  readonly text: string;
  readonly isScript: boolean;
}) {
  const [proposed, setProposed] = useState<StudioAnswer<"proposeScenario">>();
  const { isBusy, note, setNote, error, act } = useActions();
  const copy = () =>
    act(async () => {
      await navigator.clipboard.writeText(text);
      setNote("The scenario is copied.");
    });
  const propose = () => act(async () => setProposed(await studio.proposeScenario({ call, script: isScript })));
  const accept = ({ proposal, command }: StudioAnswer<"proposeScenario">) =>
    act(async () => {
      const { files } = await studio.acceptProposal({ proposal: proposal.name });
      setProposed(undefined);
      setNote(`${writtenWords(files)}. Run it: ${command}`);
    });
  const reject = ({ proposal }: StudioAnswer<"proposeScenario">) =>
    act(async () => {
      await studio.rejectProposal({ proposal: proposal.name });
      setProposed(undefined);
      setNote("The scenario was put away.");
    });
  return (
    <>
      <p class="actions">
        <button type="button" disabled={isBusy} onClick={copy}>
          Copy the scenario
        </button>
        {may("editor") && !proposed && (
          <button type="button" disabled={isBusy} onClick={propose}>
            Show it as a file of the project
          </button>
        )}
      </p>
      {proposed && (
        <>
          <p class="quiet">
            A new file: {proposed.proposal.files.join(", ")}. It waits as the proposal{" "}
            <code>{proposed.proposal.name}</code>.
          </p>
          <Patch label="The patch" text={proposed.proposal.patch} />
          <p class="actions">
            <button type="button" class="main" disabled={isBusy} onClick={() => accept(proposed)}>
              Write it to the source
            </button>
            <button type="button" disabled={isBusy} onClick={() => reject(proposed)}>
              Put it away
            </button>
          </p>
        </>
      )}
      {note !== "" && <p role="status">{note}</p>}
      {error !== undefined && <Trouble error={error} />}
    </>
  );
}
