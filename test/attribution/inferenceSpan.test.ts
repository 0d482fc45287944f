import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInference } from '../../functions/attribution/inferenceSpan.ts';

describe('an operation', () => {
  it.each([
    'create_agent',
    'invoke_agent',
    'invoke_workflow',
    'execute_tool',
    'plan',
    'retrieval',
    'agent',
    'workflow',
    'chain',
    'tool',
    'task',
    'step',
    'run',
    'span',
    'memory',
    'search_memory',
    'create_memory_store',
    'Invoke_Agent',
    'CHAIN',
  ])('%s only holds others together', (operation) => {
    expect(isInference(operation)).toBe(false);
  });

  it.each([
    'chat',
    'text_completion',
    'generate_content',
    'embeddings',
    'rerank',
    'llm',
    // Looks like structure, but is not spelt like it
    'chain_of_thought',
    'agentic chat',
    'runs',
    'toolcall',
    'constructor',
    '__proto__',
    '',
  ])('%j may call a model', (operation) => {
    expect(isInference(operation)).toBe(true);
  });

  it('calls a model where the event does not say', () => {
    expect(isInference(undefined)).toBe(true);
  });

  it('is read in any case, and the same however often it is asked', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('chat', 'chain', 'tool')), (operation) => {
        const once = isInference(operation);

        expect([isInference(operation), isInference(operation.toLowerCase())]).toEqual([once, once]);
      }),
    );
  });
});
