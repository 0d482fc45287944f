import { geminiCounts } from './geminiCounts.ts';
import { countAt, type Json, type LocalCall, objectAt, textAt, timeAt } from './localCall.ts';
import type { SessionReader } from './sessionReader.ts';

/** What Qwen Code records of each request, its sub-agents included: the event that it sends as telemetry too. */
const RESPONSE = 'qwen-code.api_response';

/** Its counts, by the names of `usageMetadata` and by those of its telemetry. */
const USAGE_NAMES = [
  ['input', 'promptTokenCount', 'input_token_count'],
  ['output', 'candidatesTokenCount', 'output_token_count'],
  ['cached', 'cachedContentTokenCount', 'cached_content_token_count'],
  ['thoughts', 'thoughtsTokenCount', 'thoughts_token_count'],
  ['tool', 'toolUsePromptTokenCount', 'tool_token_count'],
  ['total', 'totalTokenCount', 'total_token_count'],
] as const;

const tokensOf = (usage: Json): Json =>
  Object.fromEntries(
    USAGE_NAMES.map(([name, ...names]) => [name, Math.max(...names.map((one) => countAt(usage, one)))]),
  );

/** Who serves a login. With a key for an API of the form of OpenAI, it is anybody. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['qwen-oauth', 'dashscope'],
  ['gemini', 'gcp.gemini'],
  ['vertex-ai', 'gcp.vertex_ai'],
]);

const providerOf = (login: string, model: string): string =>
  PROVIDERS.get(login) ?? (login === 'anthropic' && model.startsWith('claude') ? 'anthropic' : 'unknown');

/** One call, as a message or as its telemetry. Undefined for a line without counts. */
const callOf = (entry: Json, usage: Json, model: string, login: string): LocalCall | undefined => {
  const at = timeAt(entry, 'timestamp');
  const tokens = tokensOf(usage);
  if (at === undefined || ['input', 'output', 'thoughts'].every((name) => countAt(tokens, name) === 0)) {
    return undefined;
  }
  const { reasoning_tokens, ...counts } = geminiCounts(tokens);
  return {
    at,
    provider: providerOf(login, model),
    model,
    counts,
    members: { reasoning_tokens, ...(login === 'qwen-oauth' && { billing_mode: 'free' }) },
    responseId: textAt(usage, 'response_id'),
    identity: [textAt(entry, 'uuid') ?? `${textAt(entry, 'sessionId')} ${at}`],
  };
};

/**
 * Reads the sessions of Qwen Code. Newer versions record each request; messages repeat those of the main conversation. So messages
 * count only in sessions without a recorded request. A branch copies the lines of its session, with their ids.
 */
export const qwenCodeReader: SessionReader = () => {
  const requests = new Map<string, LocalCall>();
  const messages = new Map<string, { readonly session: string; readonly call: LocalCall }>();
  const recorded = new Set<string>();
  return {
    isRead: (text) => text.includes('"usageMetadata"') || text.includes(RESPONSE),
    take: (entry) => {
      const session = textAt(entry, 'sessionId') ?? '';
      const event = objectAt(objectAt(entry, 'systemPayload'), 'uiEvent');
      if (event['event.name'] === RESPONSE) {
        const call = callOf(
          entry,
          event,
          textAt(event, 'model') ?? 'unknown',
          textAt(event, 'auth_type') ?? '',
        );
        if (call === undefined) return false;
        recorded.add(session);
        const [id = ''] = call.identity;
        const isKnown = requests.has(id);
        requests.set(id, call);
        return isKnown;
      }
      if (entry['type'] !== 'assistant') return false;
      const call = callOf(entry, objectAt(entry, 'usageMetadata'), textAt(entry, 'model') ?? 'unknown', '');
      if (call === undefined) return false;
      const [id = ''] = call.identity;
      const isKnown = messages.has(id);
      messages.set(id, { session, call });
      return isKnown;
    },
    finish: () => [
      ...requests.values(),
      ...[...messages.values()].flatMap(({ session, call }) => (recorded.has(session) ? [] : [call])),
    ],
  };
};
