/** A provider as a FinOps reader knows it from other bills. */
export interface Vendor {
  readonly providerName: string;
  /** What is bought there. One name has one category, so it never depends on the call. */
  readonly serviceName: string;
}

/** By the one spelling of a provider that prices are found by. A map, since a provider may be called `constructor`. */
const known: ReadonlyMap<string, Vendor> = new Map(
  (
    [
      ['openai', 'OpenAI', 'OpenAI API'],
      ['anthropic', 'Anthropic', 'Claude API'],
      ['aws', 'Amazon Web Services', 'Amazon Bedrock'],
      ['azure', 'Microsoft', 'Azure OpenAI Service'],
      ['google', 'Google Cloud', 'Gemini API'],
      ['mistral', 'Mistral AI', 'Mistral AI API'],
      ['cohere', 'Cohere', 'Cohere API'],
      ['deepseek', 'DeepSeek', 'DeepSeek API'],
      ['groq', 'Groq', 'GroqCloud'],
      ['x-ai', 'xAI', 'xAI API'],
      ['perplexity', 'Perplexity', 'Perplexity API'],
      ['together', 'Together AI', 'Together AI API'],
      ['fireworks', 'Fireworks AI', 'Fireworks AI API'],
      ['moonshotai', 'Moonshot AI', 'Moonshot AI API'],
      ['cerebras', 'Cerebras', 'Cerebras Inference'],
      ['cloudflare', 'Cloudflare', 'Workers AI'],
      ['voyageai', 'Voyage AI', 'Voyage AI API'],
      ['github-copilot', 'GitHub', 'GitHub Copilot'],
      // What groups of too few persons used, where naming it would name them.
      ['several', 'Several providers', 'Several AI services'],
    ] as const
  ).map(([provider, providerName, serviceName]) => [provider, { providerName, serviceName }]),
);

/** The vendor of a provider; one we have no name for is called what producers call it. */
export const vendorOf = (provider: string): Vendor =>
  known.get(provider) ?? { providerName: provider, serviceName: provider };
