import type { CostComponent } from '../../../../schemas/attribution/costExplanation.ts';

export type MeterKind = CostComponent['kind'];

/** A quantity that a provider counts and charges. Each model and meter is one SKU. */
export interface Meter {
  /** Value of the FOCUS column SkuMeter. */
  readonly name: string;
  /** Last part of the SKU id. */
  readonly slug: string;
  readonly side: 'read' | 'written' | null;
  /** Values as in the draft of FOCUS 1.5. */
  readonly cacheAction: 'Uncached' | 'Read' | 'Write' | null;
}

const meter = (
  name: string,
  slug: string,
  side: Meter['side'] = null,
  cacheAction: Meter['cacheAction'] = null,
): Meter => ({ name, slug, side, cacheAction });

export const meters: Readonly<Record<MeterKind, Meter>> = {
  input: meter('Input Tokens', 'input', 'read', 'Uncached'),
  cached_input: meter('Cached Input Tokens', 'cached-input', 'read', 'Read'),
  cache_write: meter('Cache Write Tokens', 'cache-write', 'read', 'Write'),
  cache_write_1h: meter('Cache Write Tokens 1 Hour', 'cache-write-1h', 'read', 'Write'),
  audio_input: meter('Audio Input Tokens', 'audio-input', 'read', 'Uncached'),
  cached_audio_input: meter('Cached Audio Input Tokens', 'cached-audio-input', 'read', 'Read'),
  image_input: meter('Image Input Tokens', 'image-input', 'read', 'Uncached'),
  cached_image_input: meter('Cached Image Input Tokens', 'cached-image-input', 'read', 'Read'),
  output: meter('Output Tokens', 'output', 'written'),
  reasoning: meter('Reasoning Tokens', 'reasoning', 'written'),
  audio_output: meter('Audio Output Tokens', 'audio-output', 'written'),
  image_output: meter('Image Output Tokens', 'image-output', 'written'),
  request: meter('Requests', 'request'),
  search: meter('Web Searches', 'web-search'),
  file_search: meter('File Searches', 'file-search'),
  code_execution: meter('Code Executions', 'code-execution'),
  rerank_search: meter('Rerank Searches', 'rerank-search'),
  audio_second: meter('Audio Seconds', 'audio-second'),
  video_second: meter('Video Seconds', 'video-second'),
  image: meter('Images', 'image'),
  page: meter('Pages', 'page'),
  character: meter('Characters', 'character'),
  // A whole call, used when no components are known.
  total: meter('Requests', 'call'),
};
