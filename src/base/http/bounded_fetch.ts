/** Settings of {@link boundedFetch}. */
export interface FetchBounds {
  /** Size limit of an answer in bytes. */
  readonly mostBytes: number;
  /** The error for an answer that is too large or a redirect; the state continues "the server". */
  readonly fail: (state: string) => Error;
}

/**
 * Returns a `fetch` for a client of another package. Answers have a size limit. Redirects are an error: they would send
 * what the request has in it to an address that nobody has configured.
 */
export function boundedFetch({ mostBytes, fail }: FetchBounds): typeof fetch {
  const send = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, { ...init, redirect: "manual" });
    const { status, statusText, headers, body } = response;
    if (status >= 300 && status < 400) {
      body?.cancel().catch(() => {}); // nobody reads it
      throw fail(`redirects to ${headers.get("location") ?? "another address"}`);
    }
    return body ? new Response(counted(body, mostBytes, fail), { status, statusText, headers }) : response;
  };
  return Object.assign(send, { preconnect: () => {} });
}

function counted(body: ReadableStream<Uint8Array>, mostBytes: number, fail: FetchBounds["fail"]) {
  let size = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        size += chunk.length;
        if (size > mostBytes) controller.error(fail(`answers with more than ${mostBytes} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
}
