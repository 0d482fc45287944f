/** The result of one check: what was found, what to consider, or the problem with its remedy. */
export type Finding = { readonly found: string } | { readonly notice: string } | { readonly problem: string };

const line = (finding: Finding): string => {
  if ('problem' in finding) return `failed  ${finding.problem}`;
  return 'notice' in finding ? `notice  ${finding.notice}` : `ok      ${finding.found}`;
};

/** Prints one line for each finding. Returns the exit code: 1 if a check failed. */
export const report = (findings: readonly Finding[], print: (line: string) => void): number => {
  for (const finding of findings) print(line(finding));
  return findings.some((finding) => 'problem' in finding) ? 1 : 0;
};
