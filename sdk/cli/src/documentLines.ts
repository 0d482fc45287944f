import { safeText } from './text.ts';

/** Members of a document as lines, so that nothing of it is left out. */
export const documentLines = (value: unknown, indent = ''): string[] => {
  if (Array.isArray(value))
    return value.flatMap((entry) =>
      typeof entry === 'object' && entry !== null
        ? [`${indent}-`, ...documentLines(entry, `${indent}  `)]
        : [`${indent}- ${safeText(String(entry))}`],
    );
  if (typeof value !== 'object' || value === null) return [`${indent}${safeText(String(value))}`];
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member !== 'object' || member === null)
      return [`${indent}${safeText(name)}: ${member === null ? 'unknown' : safeText(String(member))}`];
    if (Object.keys(member).length === 0) return [`${indent}${safeText(name)}: none`];
    return [`${indent}${safeText(name)}:`, ...documentLines(member, `${indent}  `)];
  });
};
