interface Report {
  readonly data: readonly unknown[];
}

/** Rows of one request. */
export const PAGE_ROWS = 200;

/** A report with the rows of all of its pages. */
export const wholeReport = async <Whole extends Report>(report: {
  readonly pages: () => AsyncIterable<Whole>;
}): Promise<Whole> => {
  const rows: unknown[] = [];
  let last: Whole | undefined;
  for await (const page of report.pages()) {
    rows.push(...page.data);
    last = page;
  }
  if (last === undefined) throw new Error('The report has no page');
  return { ...last, data: rows };
};
