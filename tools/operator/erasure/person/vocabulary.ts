import { buildOpenapi } from '../../../../functions/platform/apiDocs/contract/openapi.ts';
import { routes } from '../../../../schemas/routes/index.ts';

const wordsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const names = name === 'properties' && member !== null ? Object.keys(Object(member)) : [];
    const values = name === 'enum' || name === 'const' ? [member].flat() : [];
    return [...names, ...values.map(String), ...wordsIn(member)];
  });
};

/**
 * Whether a text is a member name or a fixed value of the API, such as `owner` or `confirmed`. Stored documents hold the
 * same words, so they cannot be replaced by a pseudonym without damage.
 */
export const isVocabulary = (text: string): boolean =>
  new Set(wordsIn(buildOpenapi(routes, 'https://api.example'))).has(text);
