import { dateText } from "../../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../../api/mod.ts";
import { MoreButton, Nothing, TextFilter, useMoreList, Wait } from "../parts/mod.ts";
import { linkTo, may, route, studio } from "../state/mod.ts";

type Entry = StudioAnswer<"audit">["items"][number];

/** Who did what, newest first, with filters by person and action. */
export function AuditScreen() {
  if (!may("editor"))
    return (
      <Nothing title="The audit needs the role of an editor">
        <p>Ask an editor who changed what.</p>
      </Nothing>
    );
  return <AuditList />;
}

function AuditList() {
  const { query } = route.value;
  const filter = { by: query.get("by") || undefined, action: query.get("action") || undefined };
  const list = useMoreList(`audit ${JSON.stringify(filter)}`, (cursor, signal) =>
    studio.audit({ ...filter, cursor }, { signal }),
  );
  const known = (key: "by" | "action") => [...new Set(list.items.map((entry) => entry[key]))];
  return (
    <article>
      <p class="crumbs">
        <a href={linkTo(["changes"])}>Changes</a>
      </p>
      <h2>Audit</h2>
      <p class="quiet">Each request that changes something, with who sent it and how it ended.</p>
      <search class="filters">
        <TextFilter name="by" label="person" suggestions={known("by")} />
        <TextFilter name="action" label="action" suggestions={known("action")} />
      </search>
      <Wait loaded={list.loaded} what="the audit">
        {() => (
          <>
            {list.items.length === 0 && <Nothing title="Nobody has done that" />}
            {list.items.length > 0 && <AuditTable entries={list.items} />}
            <MoreButton list={list} what="entries" />
          </>
        )}
      </Wait>
    </article>
  );
}

function AuditTable({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <div class="scroll">
      <table class="audit">
        <thead>
          <tr>
            <th scope="col">when</th>
            <th scope="col">who</th>
            <th scope="col">role</th>
            <th scope="col">action</th>
            <th scope="col">what</th>
            <th scope="col">outcome</th>
            <th scope="col">details</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, at, by, role, action, target, detail: { outcome, ...detail } }) => (
            <tr key={id}>
              <th scope="row">{dateText(at)}</th>
              <td>{by}</td>
              <td>{role}</td>
              <td>{action}</td>
              <td>{target}</td>
              <td>{outcome === undefined ? "interrupted" : textOf(outcome)}</td>
              <td>
                {Object.keys(detail).length > 0 && (
                  <details>
                    <summary>show</summary>
                    <pre>{JSON.stringify(detail, null, 2)}</pre>
                  </details>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
