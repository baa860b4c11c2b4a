import { describe, expect, it } from 'vitest';
import { outdatedProtocol } from '../../../../../../shared/insight/rules/connection/outdated-protocol.ts';
import { type ExampleFact, exampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const scripts = (count: number, of: ExampleFact = {}) =>
  exampleFacts(count, (index) => ({ protocol: 'http/1.1', dest: 'script', path: `/${index}.js`, ...of }));

describe('outdated-protocol', () => {
  it('reports static files over HTTP/1.1 if the server spoke HTTP/2', () => {
    expect(foundBy(outdatedProtocol, [...scripts(6), exampleFact()])[0]?.exchanges).toHaveLength(6);
  });

  it('reports them if the server announces it', () => {
    const facts = scripts(6, { response: { 'Alt-Svc': 'h3=":443"; ma=86400' } });
    expect(foundBy(outdatedProtocol, facts)[0]?.detail).toContain('Alt-Svc');
  });

  it.each([
    ['a server that is not known to speak HTTP/2', scripts(9)],
    ['five files', [...scripts(5), exampleFact()]],
    ['localhost', [...scripts(9, { origin: 'https://localhost' }), exampleFact({ origin: 'https://localhost' })]],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(outdatedProtocol, facts)).toEqual([]);
  });
});
