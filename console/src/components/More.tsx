interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

export const More = ({ of }: { of: Pages }) =>
  of.hasNextPage && (
    <div className="more">
      <button type="button" className="button" disabled={of.isFetchingNextPage} onClick={of.fetchNextPage}>
        {of.isFetchingNextPage ? 'Loading' : 'Show more'}
      </button>
    </div>
  );
