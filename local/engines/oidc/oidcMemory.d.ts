/** The library's in-memory store. Its type package does not declare it. Passing it explicitly avoids a warning. */
declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  import type { AdapterFactory } from 'oidc-provider';
  export function createMemoryAdapter(clockToleranceSeconds?: number): AdapterFactory;
}
