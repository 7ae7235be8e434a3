import { useState } from "preact/hooks";
import { counted } from "../../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../../api/mod.ts";
import { Trouble } from "../parts/mod.ts";
import { noteError } from "../state/mod.ts";

type Plan = StudioAnswer<"planDeployment">;

/** What is sent to apply a plan. */
interface ApplyChoices {
  readonly digest: string;
  readonly overwriteRemote?: boolean;
}

const UNREAD = { isRead: false, overwrites: false };

/** Applies the plan that was read. The server refuses it if the platform or the source has changed since. */
export function Approve({
  plan,
  words,
  apply: send,
  again,
}: {
  readonly plan: Plan;
  /** Words of the button. */
  readonly words: string;
  readonly apply: (choices: ApplyChoices) => Promise<StudioAnswer<"applyDeployment">>;
  readonly again: () => void;
}) {
  // what was ticked for one plan does not count for the next
  const [ticked, setTicked] = useState({ digest: "", isRead: false, overwrites: false });
  const { isRead, overwrites } = ticked.digest === plan.digest ? ticked : UNREAD;
  const tick = (change: Partial<typeof UNREAD>) => setTicked({ digest: plan.digest, isRead, overwrites, ...change });
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [done, setDone] = useState<StudioAnswer<"applyDeployment">>();
  const differs = plan.conflicts.length > 0;
  if (plan.isEmpty && !done) return null;
  const apply = async () => {
    setBusy(true);
    setError(undefined);
    try {
      setDone(await send({ digest: plan.digest, ...(overwrites ? { overwriteRemote: true } : {}) }));
      setTicked({ digest: "", ...UNREAD });
      again();
    } catch (problem) {
      noteError(problem);
      setError(problem);
    }
    setBusy(false);
  };
  return (
    <section class="panel approve">
      <h3>Approve</h3>
      {done && (
        <p role="status" class="better">
          Applied: {counted(done.written.length, "resource")} written
          {done.kept.length > 0 && `, ${done.kept.length} kept`}.
        </p>
      )}
      {!plan.isEmpty && (
        <>
          <label class="check">
            <input type="checkbox" checked={isRead} onChange={() => tick({ isRead: !isRead })} />I have read what
            changes and what is lost
          </label>
          {differs && (
            <label class="check">
              <input type="checkbox" checked={overwrites} onChange={() => tick({ overwrites: !overwrites })} />
              Overwrite what was changed on the platform
            </label>
          )}
          <button type="button" class="main" disabled={!isRead || isBusy || (differs && !overwrites)} onClick={apply}>
            {isBusy ? "Writing …" : words}
          </button>
        </>
      )}
      {error !== undefined && <Trouble error={error} again={again} />}
    </section>
  );
}
