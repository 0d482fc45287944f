import type { Cell } from './cell.ts';

/**
 * What only a line in the output of a batch has: an id of OpenAI or xAI; when Vertex AI processed it, or the record that Bedrock
 * answers.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/batch-prediction-gemini
 * https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference-results.html
 */
const MARKS = /^row\.(?:id=batch_req_|batch_request_id=|processed_time=|model_output\.)/;
/**
 * How the caller names a line, and where the line has the answer. Claude on Vertex AI wraps less than OpenAI, Azure, Anthropic,
 * Mistral, Groq and Together do, and the Gemini API has names of its own: https://ai.google.dev/gemini-api/docs/batch-api
 */
const LINES: readonly (readonly [name: RegExp, answer: RegExp])[] = [
  [/^row\.custom_id$/, /^row\.(?:response\.(?:body|usage)|result\.message)\./],
  [/^row\.(?:metadata\.)?key$/, /^row\.response\.usage_metadata\./],
];

/** Whether the columns are those of a line in the output of a batch. */
export const isOfBatch = (columns: readonly Cell[]): boolean => {
  const has = (path: RegExp): boolean => columns.some(([, one]) => path.test(one));
  return (
    columns.some(([, path, value]) => MARKS.test(`${path}=${String(value)}`)) ||
    LINES.some(([name, answer]) => has(name) && has(answer))
  );
};
