/** What the bracket beside a column means. */
export const RangeKey = () => (
  <span className="key">
    <svg width="10" height="14" viewBox="0 0 10 14" aria-hidden="true">
      <path className="whisker" d="M2,1h4V13h-4" />
    </svg>
    range
  </span>
);
