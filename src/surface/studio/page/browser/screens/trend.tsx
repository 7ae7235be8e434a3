import { useMemo } from "preact/hooks";
import { dateText, percent } from "../../../../web/browser/mod.ts";
import { MoreButton, Nothing, RateBar, TrendChart, useMoreList, Wait } from "../parts/mod.ts";
import { changes, goTo, linkTo, route, studio } from "../state/mod.ts";

/** A scenario over runs, with the commits. */
export function TrendScreen({ scenario }: { readonly scenario: string }) {
  const agent = route.value.query.get("agent") ?? undefined;
  const list = useMoreList(`${scenario}/${agent} ${changes.runs.value}`, (cursor, signal) =>
    studio.trend({ scenario, agent, cursor }, { signal }),
  );
  const { items } = list;
  const oldestFirst = useMemo(() => items.toReversed(), [items.length, items[0]?.run]);
  const points = useMemo(
    () =>
      oldestFirst.map(({ startedAt, passRate: { rate, low, high }, commit }) => ({
        at: startedAt,
        rate,
        low,
        high,
        label: [dateText(startedAt), commit?.slice(0, 8)].filter(Boolean).join(", "),
      })),
    [oldestFirst],
  );
  return (
    <article>
      <p class="crumbs">
        <a href={linkTo(["runs"])}>Runs</a>
      </p>
      <h2>{scenario}</h2>
      <p class="quiet">Its pass rate in each run. The band is the 95 % interval: within it, a change may be chance.</p>
      <Wait loaded={list.loaded} what="the trend">
        {() =>
          items.length === 0 ? (
            <Nothing title="No run has this scenario" />
          ) : (
            <>
              <TrendChart points={points} onChoose={(index) => goTo(linkTo(["runs", oldestFirst[index]?.run ?? ""]))} />
              <div class="scroll">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">run</th>
                      <th scope="col" class="rate-cell">
                        pass rate
                      </th>
                      <th scope="col">passed</th>
                      <th scope="col">mean score</th>
                      <th scope="col">branch</th>
                      <th scope="col">commit</th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map(({ run, startedAt, passRate, meanScore, branch, commit }, index) => (
                      <tr key={run}>
                        <th scope="row">
                          <a href={linkTo(["runs", run])}>{dateText(startedAt)}</a>
                          {items[index + 1] && (
                            <a class="said" href={linkTo(["runs", run, "compare"], { with: items[index + 1]?.run })}>
                              compare with the one before
                            </a>
                          )}
                        </th>
                        <td class="rate-cell">
                          <RateBar
                            passes={passRate.passes}
                            judged={passRate.trials}
                            rate={passRate.rate}
                            low={passRate.low}
                            high={passRate.high}
                          />
                        </td>
                        <td>
                          {passRate.rate === null
                            ? "not judged"
                            : `${passRate.passes} of ${passRate.trials}, ${percent(passRate.rate)}`}
                        </td>
                        <td>{meanScore === null ? "" : meanScore.toFixed(2)}</td>
                        <td>{branch}</td>
                        <td>
                          <code>{commit?.slice(0, 8)}</code>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <MoreButton list={list} what="runs" />
            </>
          )
        }
      </Wait>
    </article>
  );
}
