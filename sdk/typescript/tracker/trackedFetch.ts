import type { TrackedEvent, Tracker } from './tracker.ts';
import { usageReader } from './usage.ts';

export interface TrackedFetchOptions {
  /** The `fetch` that sends the call. Default: the global one. */
  readonly fetch?: typeof fetch;
  /** Members that every event gets, such as `attributed_service` and `tags`; behind a gateway also `provider`. */
  readonly event?: Partial<TrackedEvent>;
}

/** A longer body (files, images) is not parsed for the model that was asked for. */
const REQUEST_CHARACTERS_MAXIMUM = 4_000_000;

/** Who charges for the calls to a host. Any other host may be a gateway, which does not say whom it asks. */
const PROVIDERS = {
  anthropic: /(^|\.)anthropic\.com$/,
  openai: /(^|\.)openai\.com$/,
  azure: /\.(openai|cognitiveservices|services\.ai)\.azure\.com$/,
  aws: /^bedrock-runtime.*\.amazonaws\.com$/,
  google: /^generativelanguage\.googleapis\.com$/,
  cohere: /(^|\.)cohere\.(com|ai)$/,
  openrouter: /(^|\.)openrouter\.ai$/,
  perplexity: /(^|\.)perplexity\.ai$/,
  'x-ai': /(^|\.)x\.ai$/,
};
const providerOf = (host: string): string | undefined =>
  Object.entries(PROVIDERS).find(([, hosts]) => hosts.test(host))?.[0];

interface Call {
  readonly host: string;
  readonly requested_model: string;
  readonly characters?: number;
}

/** They name a model and call none. */
const NO_CALL = /(?:count_?tokens|input_tokens|moderations|jobs|sessions|client_secrets)$/i;

/** Null for a request that is no inference call, such as a list of models. */
const callOf = (input: Parameters<typeof fetch>[0], init: RequestInit | undefined): Call | null => {
  const body = init?.body;
  const isText = typeof body === 'string' && body.length <= REQUEST_CHARACTERS_MAXIMUM;
  // A form has a file, such as one to transcribe.
  if (init?.method?.toUpperCase() !== 'POST' || !(isText || body instanceof FormData)) return null;
  const url = new URL(input instanceof Request ? input.url : input);
  const path = decodeURIComponent(url.pathname);
  if (NO_CALL.test(path)) return null;
  // Azure, Amazon Bedrock and Gemini take the model from the path, so the body may have none.
  const named = /\/deployments\/([^/]+)|\/model\/(.+)\/converse|\/models\/([^/]+):\w*generateContent/i.exec(
    path,
  );
  const asked = typeof body === 'string' ? Object(JSON.parse(body)) : { model: body.get('model') };
  const model = asked.model || named?.slice(1).find(Boolean);
  if (typeof model !== 'string') return null;
  const isSpeech = path.endsWith('/speech') && typeof asked.input === 'string';
  return {
    host: url.hostname,
    requested_model: model,
    ...(isSpeech && { characters: asked.input.length }),
  };
};

/** The response with a body that reports its bytes, and `onEnd` once with whether it was read to its end. */
const observed = (
  response: Response,
  body: ReadableStream<Uint8Array>,
  onBytes: (bytes: Uint8Array) => void,
  onEnd: (isComplete: boolean) => void,
): Response => {
  const reader = body.getReader();
  // Not tee(): it would keep what the caller has not read yet in memory, without a bound.
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            onEnd(true);
          } else {
            controller.enqueue(value);
            onBytes(value);
          }
        } catch (error) {
          controller.error(error);
          onEnd(false);
        }
      },
      cancel: (reason) => {
        onEnd(false);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers, url, redirected } = response;
  const answer = new Response(stream, { status, statusText, headers });
  return Object.defineProperties(answer, { url: { value: url }, redirected: { value: redirected } });
};

/**
 * A `fetch` that records the calls of the OpenAI and Anthropic libraries and of AI SDK providers. The response is handed on at
 * once. Only token counts, the id, the model and the service tier are read from it. A fault of the observation never reaches the caller.
 */
export const trackedFetch = (tracker: Tracker, options: TrackedFetchOptions = {}): typeof fetch => {
  const inner: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const unknown = new Set<string>();

  /** Without a provider that the service knows, a call has no price. It is said once for each host. */
  const ask = (host: string): string => {
    if (options.event?.provider === undefined && !unknown.has(host))
      console.warn(
        `trackedFetch: who charges for calls to ${host}? Without it they have no cost. Pass event: { provider }.`,
      );
    unknown.add(host);
    return host;
  };

  const observe = (response: Response, { host, ...call }: Call, startedAt: number): Response => {
    const type = response.headers.get('content-type') ?? '';
    const isStream = type.includes('event-stream') || type.includes('eventstream');
    // Speech states no counts. It is charged all the same.
    const isSpeech = response.ok && call.characters !== undefined;
    if (response.body === null || !(isStream || isSpeech || type.includes('json'))) return response;
    const usage = usageReader(isStream || isSpeech);
    let isReadable = true;
    const attempt = (read: () => void): void => {
      try {
        if (isReadable) read();
      } catch {
        isReadable = false;
      }
    };
    const finish = (isComplete: boolean): void => {
      let members: Partial<TrackedEvent> | undefined;
      attempt(() => {
        members = usage.finish();
      });
      // A failed call without usage cost nothing. An aborted stream has a cost that nobody told us.
      if (!response.ok && members === undefined) return;
      const responseId = usage.responseId();
      const isIncomplete = !isComplete || (isStream && members === undefined);
      tracker.record(() => ({
        provider: providerOf(host) ?? ask(host),
        ...call,
        ...members,
        ...(responseId !== undefined && { response_id: responseId }),
        latency_ms: Math.round(performance.now() - startedAt),
        ...(isIncomplete && { status: 'incomplete' as const }),
        ...(!response.ok && { status: 'error' as const }),
        ...options.event,
      }));
    };
    return observed(response, response.body, (bytes) => attempt(() => usage.feed(bytes)), finish);
  };

  return async (input, init) => {
    const startedAt = performance.now();
    const answer = inner(input, init);
    let call: Call | null = null;
    try {
      // While the request is under way.
      call = callOf(input, init);
    } catch {
      // Not JSON: no inference call that we know.
    }
    const response = await answer;
    if (call === null) return response;
    try {
      return observe(response, call, startedAt);
    } catch {
      return response;
    }
  };
};
