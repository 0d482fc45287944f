import { memoize, memoKey } from '../../platform/shared/caches/memoize.ts';

/** The output modality of a call. Token prices and energy apply to text. Embeddings generate no tokens. */
export type Modality = 'text' | 'embedding' | 'other';

/** Operation names of OpenTelemetry GenAI (`embeddings`) and LiteLLM (`aembedding`, `image_generation`). */
const EMBEDDING_OPERATION = /embed|rerank/;
const OTHER_OPERATION = /image|audio|speech|transcri|translat|video|\btts\b|\bocr\b|realtime/;

const EMBEDDING_MODEL = /embed|rerank|(?:^|[/.-])(?:bge|e5|gte|voyage)-/;
const OTHER_MODEL =
  /whisper|dall-e|\btts\b|transcribe|realtime|native-audio|-(?:audio|image|live|ocr|voice|video)(?:-|$)|imagen|voxtral|sonic|\bveo\b|sora|stable-diffusion|flux|titan-image|nova-(?:canvas|reel)|lyria/;

const modalityFor = memoize((key): Modality => {
  const [operation = '', model = ''] = key.split('\u0000');
  if (OTHER_OPERATION.test(operation) || OTHER_MODEL.test(model)) return 'other';
  return EMBEDDING_OPERATION.test(operation) || EMBEDDING_MODEL.test(model) ? 'embedding' : 'text';
});

/** Whether a call generates images, by its operation or its model. */
export const generatesImages = (operation: string | undefined, model: string): boolean =>
  /^image/.test((operation ?? '').toLowerCase()) || /-image(?:-|$)/.test(model);

/** A model that orders documents. It reads them, and nobody publishes what that takes. */
export const isRerank = (operation: string | undefined, model: string): boolean =>
  `${operation ?? ''} ${model}`.toLowerCase().includes('rerank');

/** Derived from the operation name and from the model id, because either can be missing or unspecific. */
export const modalityOf = (operation: string | undefined, model: string): Modality =>
  modalityFor(memoKey((operation ?? '').toLowerCase(), model));
