import { type CallOptions, type Client, type Request, send } from './client.ts';

interface AnyPage {
  readonly data: readonly unknown[];
  readonly page: { readonly next_cursor: string | null };
}

/** A collection. `await` gives its first page, `for await` all of its records. Nothing is sent before. */
export interface Collection<Page extends AnyPage>
  extends PromiseLike<Page>,
    AsyncIterable<Page['data'][number]> {
  readonly pages: () => AsyncIterable<Page>;
}

export const collect = <Page extends AnyPage>(
  client: Client,
  request: Request,
  options?: CallOptions,
): Collection<Page> => {
  const read = (cursor?: string): Promise<Page> =>
    send(
      client,
      cursor === undefined ? request : { ...request, query: { ...request.query, cursor } },
      options,
    );
  const pages = async function* () {
    for (let page = await read(); ; ) {
      yield page;
      const { next_cursor } = page.page;
      if (next_cursor === null) return;
      page = await read(next_cursor);
    }
  };
  return {
    pages,
    // biome-ignore lint/suspicious/noThenProperty: a collection is awaited on purpose.
    then: (onPage, onError) => read().then(onPage, onError),
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data;
    },
  };
};
