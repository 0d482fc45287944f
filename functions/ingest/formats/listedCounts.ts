import { memberAt, textAt } from './values.ts';

/**
 * Gemini lists its tokens by medium: `promptTokensDetails: [{"modality": "AUDIO", "tokenCount": 800}]`, in its Interactions API
 * `input_tokens_by_modality: [{"modality": "audio", "tokens": 800}]`. Text is what remains.
 */
const BY_MEDIUM = /tokens_?(?:details|by_?modality)$/i;
const REMAINS = 'text';
/**
 * Converse lists what it wrote to the cache by how long it stays: `cacheDetails: [{"ttl": "1h", "inputTokens": 800}]`.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CacheDetail.html
 */
const BY_LIFETIME = /cache_?details$/i;

/** Queries of grounding, of which each is a search: https://ai.google.dev/api/generate-content#GroundingMetadata */
const QUERIES = /^(?:.*\.)?web_?search_?queries$/i;

/** Counts that a usage has in a list, under the names that they have elsewhere as members. */
export const listedCounts = (
  name: string,
  list: readonly unknown[],
): readonly (readonly [name: string, count: unknown])[] => {
  if (QUERIES.test(name)) return [['usage.web_search_requests', list.length]];
  if (BY_MEDIUM.test(name)) {
    return list.flatMap((one) => {
      const medium = textAt(one, 'modality')?.toLowerCase();
      const [count] = ['tokenCount', 'token_count', 'tokens'].flatMap(
        (member) => memberAt(one, member) ?? [],
      );
      return medium === undefined || medium === REMAINS ? [] : [[`${medium}_tokens`, count]];
    });
  }
  if (!BY_LIFETIME.test(name)) return [];
  return list.flatMap((one) => {
    const lifetime = textAt(one, 'ttl');
    return lifetime === undefined
      ? []
      : [
          [
            `ephemeral_${lifetime}_write_tokens`,
            memberAt(one, 'inputTokens') ?? memberAt(one, 'input_tokens'),
          ],
        ];
  });
};
