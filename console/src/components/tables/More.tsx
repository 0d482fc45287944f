export interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

export const More = ({ of }: { of: Pages }) =>
  of.hasNextPage && (
    <div className="more">
      {/* Not `disabled`: a disabled button loses the focus, and the keyboard would start again at the top. */}
      <button
        type="button"
        className="button"
        aria-disabled={of.isFetchingNextPage}
        onClick={() => !of.isFetchingNextPage && of.fetchNextPage()}
      >
        {of.isFetchingNextPage ? 'Loading' : 'Show more'}
      </button>
    </div>
  );
