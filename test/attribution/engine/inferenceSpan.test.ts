import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInference } from '../../../functions/attribution/engine/inferenceSpan.ts';

describe('isInference', () => {
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
  ])('returns false for the structural operation %s', (operation) => {
    expect(isInference(operation)).toBe(false);
  });

  it.each([
    'chat',
    'text_completion',
    'generate_content',
    'embeddings',
    'rerank',
    'llm',
    // Similar to a structural operation, but not equal to one
    'chain_of_thought',
    'agentic chat',
    'runs',
    'toolcall',
    'constructor',
    '__proto__',
    '',
  ])('returns true for the operation %j', (operation) => {
    expect(isInference(operation)).toBe(true);
  });

  it('returns true for an event without an operation', () => {
    expect(isInference(undefined)).toBe(true);
  });

  it('is case-insensitive and returns the same result on every call', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('chat', 'chain', 'tool')), (operation) => {
        const once = isInference(operation);

        expect([isInference(operation), isInference(operation.toLowerCase())]).toEqual([once, once]);
      }),
    );
  });
});
