import { describe, expect, it } from 'vitest'
import { makeHandle } from './handle.js'

describe('the methods of the library', () => {
  const asked: unknown[] = []
  const me = makeHandle(async (...request) => {
    asked.push(request)
    return { records: [{ id: 'a' }, { id: 'b' }] }
  })
  const lastAsked = () => asked.at(-1)
  const options = { idempotencyKey: 'once' }

  it('take the input as one object, and none for an empty one', async () => {
    await me.groups.addMember({ group: 'g', member: 'ben' }, options)
    expect(lastAsked()).toEqual(['groups.add_member', { group: 'g', member: 'ben' }, options])
    await me.list()
    expect(lastAsked()).toEqual(['memory.list', {}, undefined])
  })

  it('take one field by itself, and the others as one object where there may be any', async () => {
    await me.get('r', options)
    expect(lastAsked()).toEqual(['memory.get', { record: 'r' }, options])
    await me.search('tea', { limit: 1 }, options)
    expect(lastAsked()).toEqual(['memory.search', { query: 'tea', limit: 1 }, options])
    await me.search('tea')
    expect(lastAsked()).toEqual(['memory.search', { query: 'tea' }, undefined])
    // What is said by itself holds.
    await me.search('tea', { query: 'coffee' } as object)
    expect(lastAsked()).toEqual(['memory.search', { query: 'tea' }, undefined])
  })

  it('take options alone where there is nothing to say', async () => {
    await me.profiles.current({ profile: 'p' })
    expect(lastAsked()).toEqual(['profiles.current', {}, { profile: 'p' }])
  })

  it('take one thing for a list of one, and give one back for one', async () => {
    await me.forget('r')
    expect(lastAsked()).toEqual(['memory.forget', { records: ['r'] }, undefined])
    await me.forget(['r', 's'])
    expect(lastAsked()).toEqual(['memory.forget', { records: ['r', 's'] }, undefined])
    expect(await me.remember({ kind: 'note', text: 'x' })).toEqual({ id: 'a' })
    expect(lastAsked()).toEqual(['memory.remember', { records: [{ kind: 'note', text: 'x' }] }, undefined])
    expect(await me.remember([{ kind: 'note', text: 'x' }])).toEqual([{ id: 'a' }, { id: 'b' }])
  })

  it('stand where their operations say', async () => {
    await me.documents.search({ query: 'x' })
    expect(lastAsked()).toEqual(['search.execute', { query: 'x' }, undefined])
    await me.documents.cards()
    expect(lastAsked()).toEqual(['documents.list', {}, undefined])
    await me.commonGround.find('s')
    expect(lastAsked()).toEqual(['common_ground.find', { session: 's' }, undefined])
  })
})
