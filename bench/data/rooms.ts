/** Inserts a data room with thousands of documents and questions, equal to those that the API writes. */
import { Effect } from "effect"
import type { Session } from "./Bulk.ts"

/** How much is in a room. */
export interface Size {
  readonly documents: number
  readonly questions: number
}

// $1 is the project, $2 the version.
const insertRoom = `
  insert into rooms (
    id, team_id, version, created_at, updated_at, change_type, change_origin, project_id, name, status, nda_required, opened_at
  )
  select new_uuid_v7(at), team_id, $2::int, at, now(), 'updated', 'app', projects.id, 'Due diligence', 'open', true, at
  from projects, lateral (select date_trunc('milliseconds', now() - interval '60 days') as at) as times
  where projects.id = $1::uuid
  returning id`

/** Access of forty of the prospects who have reached rooms. $1 is the room. */
const insertAccess = `
  insert into room_access (room_id, prospect_id, team_id, granted_at, granted_by)
  select rooms.id, prospects.id, rooms.team_id, rooms.opened_at, projects.owner_id
  from rooms join projects on projects.id = project_id join prospects using (project_id)
  where rooms.id = $1::uuid and prospects.room_access_at is not null and prospects.removed_at is null
  order by prospects.created_at, prospects.id limit 40`

/** Documents in forty folders. One in ten has two versions. $1 is the room, $2 the number. */
const insertDocuments = `
  with composed as materialized (
    select new_uuid_v7(opened_at) as id, rooms.id as room_id, team_id, opened_at as at, numbered.version, number,
      (array['Corporate', 'Leases', 'Financials', 'Technical', 'Environment', 'Permits', 'Tax', 'Insurance'])[1 + number % 8]
        || '/Building ' || 1 + number / 8 % 5 as folder,
      'Document ' || number || '.pdf' as name
    from rooms, generate_series(1, $2::int) as number,
      lateral generate_series(1, case when number % 10 = 0 then 2 else 1 end) as numbered (version)
    where rooms.id = $1::uuid
  ), uploaded as (
    insert into files (
      id, team_id, version, created_at, updated_at, change_type, change_origin, subject_type, subject_id, name, content_type,
      size, sha256, content
    )
    select id, team_id, 1, at, at, 'created', 'app', 'room', room_id, name, 'application/pdf', 100000 + number,
      sha256(id::text::bytea), gen_random_uuid()
    from composed
  )
  insert into room_documents (file_id, room_id, team_id, path, version)
  select id, room_id, team_id, folder || '/' || name, version from composed`

/**
 * Questions of all who have access, evenly spread over the time since the room was opened. One in three is about a document, three
 * in four are answered, and three in twenty wait. $1 is the room, $2 the number.
 */
const insertQuestions = `
  with members as materialized (
    select prospect_id, name, row_number() over (order by prospect_id) - 1 as place, count(*) over () as total
    from room_access join prospects on prospects.id = prospect_id where room_id = $1::uuid
  ), documents as materialized (
    select file_id, split_part(path, '/', 3) as name, row_number() over (order by path, version) - 1 as place,
      count(*) over () as total
    from room_documents where room_id = $1::uuid
  ), composed as materialized (
    select rooms.id as room_id, rooms.team_id, project_id, projects.owner_id, number,
      date_trunc('milliseconds', opened_at + (now() - opened_at) * (number - 1) / $2::int) as at,
      case
        when number % 20 < 15 then 'answered'
        when number % 20 < 17 then 'closed'
        when number % 20 < 18 then 'drafted'
        else 'open'
      end as state
    from rooms join projects on projects.id = project_id, generate_series(1, $2::int) as number
    where rooms.id = $1::uuid
  )
  insert into questions (
    id, team_id, version, created_at, updated_at, change_type, change_origin, project_id, room_id, number, text, category,
    priority, state, assignee_id, prospect_id, asker_name, document_id, document_name, document_page, due_at, draft_text,
    draft_format, draft_author_id, drafted_at, answer_text, answer_audience, answered_at
  )
  select new_uuid_v7(at), team_id, case when state = 'open' then 1 else 2 end, at, at,
    case when state = 'open' then 'created' else 'updated' end, 'app', project_id, room_id, number,
    number || ': ' || repeat('Which tenants have a right to terminate before 2028? ', 3),
    (array['legal', 'financial', 'technical', 'environmental'])[1 + number % 4], 'normal', state,
    case when number % 2 = 0 then owner_id end, members.prospect_id, members.name, documents.file_id, documents.name,
    case when documents.file_id is not null then 3 end, at + interval '7 days',
    case when state = 'drafted' then 'To be confirmed by the property manager.' end,
    case when state = 'drafted' then 'plaintext' end, case when state = 'drafted' then owner_id end,
    case when state = 'drafted' then at end,
    case when state = 'answered' then repeat('Only the tenant of the ground floor, in 2027. ', 6) end,
    case when state = 'answered' then 'all' end, case when state = 'answered' then at end
  from composed
    join members on members.place = number % members.total
    left join documents on number % 3 = 0 and documents.place = number / 3 % documents.total
  order by number`

const countOpenQuestions = `
  update rooms set open_question_count = (
    select count(*) from questions where room_id = rooms.id and state in ('open', 'drafted')
  ) where id = $1::uuid`

/** Inserts an open room of a project (UUID) whose prospects have reached rooms. Returns its UUID. */
export const add = Effect.fnUntraced(function* ({ query }: Session, project: string, { documents, questions }: Size) {
  const [room] = yield* query<{ id: string }>(insertRoom, [project, 1 + documents + questions])
  const id = room?.id ?? ""
  yield* query(insertAccess, [id])
  yield* query(insertDocuments, [id, documents])
  yield* query(insertQuestions, [id, questions])
  yield* query(countOpenQuestions, [id])
  return id
})
