import { textAt } from './values.ts';

/** A user of LiteLLM that stands for nobody. */
export const LITELLM_NOBODY = 'default_user_id';

/** The customer for whom the call was made, or else the person to whom the key belongs. */
export const endUserOf = (payload: unknown): string | undefined =>
  [['end_user'], ['metadata', 'user_api_key_end_user_id'], ['metadata', 'user_api_key_user_id']]
    .map((path) => textAt(payload, ...path))
    .find((user) => user !== undefined && user !== LITELLM_NOBODY);
