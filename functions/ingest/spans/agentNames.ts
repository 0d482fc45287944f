/** What the log events of coding agents send, by the name under which a mapping reads it. */
export const agentNames = {
  eventName: ['event.name'],
  /** Cline: who speaks in a turn, or else which of its agents called. */
  eventKind: ['event.kind', 'source', 'agentKind'],
  agentModel: ['model'],
  /** Claude Code: `fast` or `normal`. */
  agentSpeed: ['speed'],
  agentCost: ['cost_usd', 'totalCost'],
  /** Of agents that call models of several providers. */
  agentProvider: ['provider'],
  agentDuration: ['duration_ms'],
  agentInput: ['input_tokens', 'input_token_count', 'tokensIn'],
  agentOutput: ['output_tokens', 'output_token_count', 'tokensOut'],
  agentCacheRead: [
    'cache_read_tokens',
    'cached_token_count',
    'cached_content_token_count',
    'cacheReadTokens',
  ],
  agentCacheWrite: ['cache_creation_tokens', 'cache_write_token_count', 'cacheWriteTokens'],
  /** Codex sends the total of a call under the name that Gemini CLI uses for the input of tools. */
  agentToolCount: ['tool_token_count'],
  agentTotal: ['total_token_count', 'total_tokens'],
  agentReasoning: ['reasoning_token_count', 'thoughts_token_count'],
  agentSession: ['session.id', 'conversation.id', 'ulid'],
  agentSequence: ['event.sequence'],
  /** Claude Code: what the provider gives to each request. */
  agentRequestId: ['request_id'],
  /** Qwen Code: what the provider gives to each response. */
  agentResponseId: ['response_id'],
  agentRequest: ['request_id', 'prompt_id', 'prompt.id'],
  /** Codex: `Chatgpt` or `ApiKey`. Gemini CLI: `oauth-personal`, `gemini-api-key`, `vertex-ai` and others. */
  agentLogin: ['auth_mode', 'auth_type'],
  /** Who runs the agent. */
  agentUser: ['user.email', 'user.account_uuid', 'user.account_id', 'user_id'],
} as const satisfies Record<string, readonly string[]>;
