import type { Warnings } from './observedCall.ts';
import { callsNoModel, modelOperationOf } from './operationNames.ts';
import { countAt, memberAt, textAt } from './values.ts';

/**
 * Requests that LiteLLM passes on as they are, and polls of batches. Only some of them use a model: those with token counts.
 * The poll that finds a batch completed has the usage of the batch.
 */
const SOMETIMES_CALLS = /^(?:pass_through_endpoint|a?llm_passthrough_route|a?(?:create|retrieve)_batch)$/;
/** Asks a search engine, which costs what LiteLLM states. */
const SEARCH = /^a?search$/;
/** Reads a stored response. The poll that finds a background response completed has the usage of its call. */
const RETRIEVAL = /^a?get_responses$/;

/** Whether a call type reads a stored response. */
export const isRetrieval = (callType: string): boolean => RETRIEVAL.test(callType);

const hasTokens = (payload: unknown): boolean =>
  (countAt(payload, 'prompt_tokens') ?? 0) + (countAt(payload, 'completion_tokens') ?? 0) > 0;

/**
 * Whether a payload is of a call that used a model. LiteLLM logs whatever it routes: reading, listing, deleting and
 * cancelling stored responses, tools and files too, and some of them repeat the usage of the call that they read.
 */
export const isModelCall = (payload: unknown, warnings: Warnings): boolean => {
  const callType = textAt(payload, 'call_type') ?? '';
  if (SOMETIMES_CALLS.test(callType) || isRetrieval(callType)) return hasTokens(payload);
  if (SEARCH.test(callType)) return Number(memberAt(payload, 'response_cost')) > 0;
  if (modelOperationOf(callType) !== undefined) return true;
  if (!callsNoModel(callType) && hasTokens(payload)) {
    warnings.add(
      'An entry with token counts was skipped, because its call_type is not known to call a model',
    );
  }
  return false;
};
