import { keepPreviousData, type QueryKey, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CallOptions, Client } from '../../../sdk/typescript/src/client.ts';
import type { FieldError } from '../../../sdk/typescript/src/types.ts';
import { useClient } from './ApiProvider.tsx';

type Read<Data> = (client: Client, options: CallOptions) => PromiseLike<Data>;

interface ReadOptions<Data> {
  readonly enabled?: boolean;
  /** Milliseconds until the next reading, or false. Nothing is read while the tab is hidden. */
  readonly refetchInterval?: (data: Data | undefined) => number | false;
}

const POLL_MS = 3_000;

/** Reads a resource. The earlier data stays while a changed key is read, so that charts do not flicker. */
export const useRead = <Data>(
  key: QueryKey,
  read: Read<Data>,
  { enabled = true, refetchInterval }: ReadOptions<Data> = {},
) => {
  const client = useClient();
  return useQuery<Data>({
    queryKey: key,
    queryFn: async ({ signal }) => read(client, { signal }),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: ({ state }) => refetchInterval?.(state.data) ?? false,
  });
};

interface Page<Row> {
  readonly data: readonly Row[];
  readonly page: { readonly next_cursor: string | null };
  readonly warnings?: readonly FieldError[];
}

/** Reads a list page by page. `data` holds the rows of all pages read so far. */
export const useList = <Row>(
  key: QueryKey,
  read: (
    client: Client,
    cursor: { readonly cursor?: string },
    options: CallOptions,
  ) => PromiseLike<Page<Row>>,
  /** Reads again every three seconds while it holds for the rows. Nothing is read while the tab is hidden. */
  isUnfinished: (rows: readonly Row[]) => boolean = () => false,
) => {
  const client = useClient();
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ signal, pageParam }) =>
      read(client, pageParam === null ? {} : { cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ page }: Page<Row>) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnfinished(state.data.pages.flatMap(({ data }) => data)) && POLL_MS,
  });
  const { error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  return {
    data: pages.data?.pages.flatMap(({ data }) => data),
    warnings: pages.data?.pages.flatMap(({ warnings = [] }) => warnings) ?? [],
    error,
    refetch,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage: () => fetchNextPage(),
  };
};

/** Every row of a collection, over all of its pages. For collections that are small by nature. */
export const everyRow = async <Row>(collection: AsyncIterable<Row>): Promise<Row[]> => {
  const rows: Row[] = [];
  for await (const row of collection) rows.push(row);
  return rows;
};
