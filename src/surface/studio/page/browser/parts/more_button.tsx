import type { MoreList } from "./more_list.ts";
import { Trouble } from "./states.tsx";

/** Loads the next page of a list. */
export function MoreButton<Item>({ list, what }: { readonly list: MoreList<Item>; readonly what: string }) {
  return (
    <>
      {list.error !== undefined && <Trouble error={list.error} />}
      {list.more && (
        <p class="after">
          <button type="button" disabled={list.isMoreLoading} onClick={list.more}>
            More {what}
          </button>
        </p>
      )}
    </>
  );
}
