import { memoize } from '../../platform/shared/caches/memoize.ts';

/**
 * Names of operations that call a model, in the words of conventions, frameworks and gateways, and what they are in the
 * OpenTelemetry GenAI conventions.
 */
const MODEL_OPERATIONS: ReadonlyMap<string, string> = new Map([
  ...[
    'chat',
    'chat_completion',
    'chat_completions',
    'completion',
    'completions',
    'response',
    'responses',
    'message',
    'messages',
    'anthropic_messages',
    'converse',
    'converse_stream',
    'invoke_model',
    'invoke_model_with_response_stream',
    'generation',
    'llm',
    'chat_model',
    'model',
    'realtime',
    'responses_websocket',
    'compact_responses',
    'adapter_completion',
    'create_interaction',
  ].map((name) => [name, 'chat'] as const),
  ...['text_completion', 'text_completions', 'text_generation'].map(
    (name) => [name, 'text_completion'] as const,
  ),
  ...['generate_content', 'generate_content_stream', 'stream_generate_content'].map(
    (name) => [name, 'generate_content'] as const,
  ),
  ...['embeddings', 'embedding', 'embedder', 'embed', 'embed_content', 'embed_many'].map(
    (name) => [name, 'embeddings'] as const,
  ),
  ...[
    'image_generation',
    'image_edit',
    'image_variation',
    'audio',
    'speech',
    'transcription',
    'translation',
    'moderation',
    'rerank',
    'ocr',
    'create_video',
    'video_generation',
    'video_remix',
    'video_edit',
    'video_extension',
  ].map((name) => [name, name] as const),
  ['reranker', 'rerank'],
  ['image', 'image_generation'],
  ...['tts', 'text_to_speech', 'speech_generation', 'audio_speech'].map((name) => [name, 'speech'] as const),
  ...['stt', 'speech_to_text'].map((name) => [name, 'transcription'] as const),
]);

/** `GenerateContent`, `chat.completions` and `gen_ai.chat` in one form. */
const canonicalName = (name: string): string =>
  name
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^(?:_|gen_ai_)+|_+$/g, '');

/**
 * Operations that call no model themselves: agents, workflows and tools of OpenTelemetry GenAI, and the chains, runs and
 * steps of frameworks. The usage that they report is that of their child spans.
 */
const PARTS = 'agent|workflow|chain|tool|retriever|retrieval|guardrail|evaluation|evaluator|crew|team|graph';
const CONTEXT = new RegExp(
  `^(?:(?:.*_)?(?:${PARTS})|(?:${PARTS})_(?:runs?|calls?|execut(?:e|ion)|invo(?:ke|cation)|step|start|end)|` +
    '(?:.*_)?memory(?:_.*)?|(?:orchestrate|execute)_tools|plan|task|step|run|span|event|flow|function|util|session|interaction|' +
    'conversation|turn|cached|handoff|(?:.*_)?prompt|parser|fetch_response|retrieve|(?:record|eval)_root)$',
);

/**
 * What is done with stored responses, files and jobs, and the counting of tokens. No model runs, whatever usage is stated.
 */
const MANAGEMENT =
  /^(?:de)?tokenize$|^token_count(?:er|ing)?$|^a?(?:list|delete|cancel|retrieve|poll|count)_|^a?get_(?:responses?|batch|file|thread|messages|assistants)(?:_|$)|_(?:list|delete|cancel|retrieve|status)$/;

/** The operation of the conventions that a name means; undefined for one that names no model call. */
export const modelOperationOf = (name: string): string | undefined => {
  const operation = canonicalName(name);
  return MODEL_OPERATIONS.get(operation) ?? MODEL_OPERATIONS.get(operation.replace(/^a(?=[a-z])/, ''));
};

/** Whether a name stands for a tool or an agent, which makes calls of its own. */
export const makesCalls: (name: string) => boolean = memoize((name) =>
  /(?:^|_)(?:tool|agent)(?:_call)?$/.test(canonicalName(name)),
);

/** Whether a name is known to stand for something that calls no model. */
export const callsNoModel = (name: string): boolean => {
  const operation = canonicalName(name);
  return modelOperationOf(name) === undefined && (CONTEXT.test(operation) || MANAGEMENT.test(operation));
};
