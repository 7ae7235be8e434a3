import type * as v from "valibot";
import type { PlatformClient } from "./platform_client.ts";
import type { AnswerShape, PlatformRequest } from "./request.ts";

/** More pages than a workspace has: a list that goes on is not believed. */
const MOST_PAGES = 20_000;

/** How a list is read. */
export interface PagedList<Shape extends AnswerShape, Item> {
  readonly first: PlatformRequest<Shape>;
  readonly itemsOf: (page: v.InferInput<Shape>) => readonly Item[];
  readonly idOf: (item: Item) => string;
  /**
   * The request of the next page; `undefined` after the last one.
   *
   * @param items Items of the page that no earlier page has.
   */
  readonly next: (page: v.InferInput<Shape>, items: readonly Item[]) => PlatformRequest<Shape> | undefined;
}

/**
 * Reads a list page by page, each item once.
 *
 * @throws {CallweaveError} `platform-answer` for a list that says that it goes on, and repeats itself.
 */
export async function* readListPages<Shape extends AnswerShape, Item>(
  client: PlatformClient,
  { first, itemsOf, idOf, next }: PagedList<Shape, Item>,
): AsyncIterable<{ readonly page: v.InferInput<Shape>; readonly items: readonly Item[] }> {
  const seen = new Set<string>();
  let request: PlatformRequest<Shape> | undefined = first;
  for (let count = 1; request; count++) {
    const sent: PlatformRequest<Shape> = request;
    if (count > MOST_PAGES) throw client.unusable(sent, `goes on after ${MOST_PAGES} pages`);
    const page = await client.send(sent);
    const items = itemsOf(page).filter((item) => !seen.has(idOf(item)));
    for (const item of items) seen.add(idOf(item));
    yield { page, items };
    request = next(page, items);
    if (request && items.length === 0) throw client.unusable(sent, "says that the list goes on, and has nothing new");
  }
}
