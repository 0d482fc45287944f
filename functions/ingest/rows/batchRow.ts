import type { Cell } from './cell.ts';

/**
 * What only a line in the output of a batch has: an id of OpenAI; when Vertex AI processed it, or the record that Bedrock answers.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/batch-prediction-gemini
 * https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference-results.html
 */
const MARKS = /^row\.(?:id=batch_req_|processed_time=|model_output\.)/;
/** The caller names the lines of a batch at OpenAI, Azure, Anthropic, Mistral, Groq and Together, which wrap each answer. */
const NAMED_LINE = /^row\.custom_id$/;
const WRAPPED = /^row\.(?:response\.body|result\.message)\./;

/** Whether the columns are those of a line in the output of a batch. */
export const isOfBatch = (columns: readonly Cell[]): boolean =>
  columns.some(([, path, value]) => MARKS.test(`${path}=${String(value)}`)) ||
  (columns.some(([, path]) => NAMED_LINE.test(path)) && columns.some(([, path]) => WRAPPED.test(path)));
