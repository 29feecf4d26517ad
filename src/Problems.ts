/** The problems that no operation of the API declares: commands answer them, or the endpoint of the tools. They have help pages, too. */
import { TimelineReadOnly } from "./content/activities/Activities.ts"
import { AmbiguousReference } from "./mcp/References.ts"
import { OriginNotAllowed } from "./mcp/http.ts"
import { ChatNotOpen } from "./deals/messages/Message.ts"
import { OfferAnswered, OfferNotOpen } from "./deals/offers/Offer.ts"
import {
  AskerWithoutAccess,
  NoRoomAccess,
  QuestionLimitReached,
  QuestionsNotTaken
} from "./deals/rooms/questions/Question.ts"
import { TeaserCommunicated, TeaserIncomplete, TeaserNotPublished } from "./deals/teasers/Teaser.ts"
import { Conflict } from "./core/usecase/Problem.ts"

// Only `code`, `status` and `title` are looked at, which each has as constants.
const detail = ""

/** One of each. */
export const problemsBesidesOperations = [
  new AmbiguousReference({ detail, candidates: [] }),
  new AskerWithoutAccess({ detail }),
  new ChatNotOpen({ detail }),
  new Conflict({ detail }),
  new NoRoomAccess({ detail }),
  new OfferAnswered({ detail, answer: "" }),
  new OfferNotOpen({ detail, offerStatus: "" }),
  new OriginNotAllowed({ detail }),
  new QuestionLimitReached({ detail, limit: 0 }),
  new QuestionsNotTaken({ detail }),
  new TeaserCommunicated({ detail }),
  new TeaserIncomplete({ detail }),
  new TeaserNotPublished({ detail }),
  new TimelineReadOnly({ detail })
]
