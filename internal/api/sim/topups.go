package sim

import (
	"maps"
	"net/http"
	"slices"
	"time"
)

// verify asks the supplier about a player (reseller-api.md, Current, detail 1). The answer has a status
// of its own and no envelope.
func verify(s *Server, c call) reply {
	p := s.product(c.params["id"])
	if p == nil || p.Inactive || p.Kind != kindTopup {
		return refuse(http.StatusNotFound, "Product not found")
	}
	for _, in := range p.Inputs {
		if in.Required && c.text(in.Index) == "" {
			return unprocessable(in.Index, "The "+in.Label+" field is required.")
		}
	}
	player := PlayerSpec{Status: playerUnknown}
	if len(p.Inputs) > 0 {
		player = s.player(p.playersOf(), c.text(p.Inputs[0].Index))
	}
	// A 200 that says invalid, and no refusal: the document has 422 for an input that is missing, and for nothing else.
	if slices.ContainsFunc(p.Inputs, func(in InputSpec) bool { return in.check(c.text(in.Index)) != "" }) {
		player = PlayerSpec{Status: playerInvalid}
	}
	out := object{"status": player.Status, "player_name": nil, "region": nil}
	if player.Status == playerValid {
		out["player_name"] = orNull(player.Name)
		out["region"] = orNull(player.Region)
	}
	return reply{data: s.shape.with(out), bare: true}
}

// orNull is a text, or null where it is empty.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// found is the player of a check, or what the check answers instead.
func (s *Server) found(game, id string) (PlayerSpec, *reply) {
	player := s.player(game, id)
	var no reply
	switch player.Status {
	case playerInvalid:
		no = refuse(http.StatusNotFound, "Player not found")
	case playerUnknown:
		no = refuse(http.StatusBadGateway, "Upstream service unavailable")
	default:
		return player, nil
	}
	return player, &no
}

// arenaPlayer reads the player_id of a body, which must be 10 digits.
func (c call) arenaPlayer() (string, *reply) {
	id := c.text("player_id")
	if tenDigits(id) {
		return id, nil
	}
	no := invalid("player_id", "The player id must be 10 digits.")
	if id == "" {
		no = required("player_id")
	}
	return "", &no
}

// checkArena is in both generations; only Legacy shows what it answers, so that is the answer wherever
// Legacy is served.
func checkArena(s *Server, c call) reply {
	id, no := c.arenaPlayer()
	if no != nil {
		return *no
	}
	player, no := s.found(familyArena, id)
	if no != nil {
		return *no
	}
	if c.mode == Current {
		return s.shape.checked("arena", player)
	}
	return ok(s.shape.with(object{"player_name": player.Name, "region": player.Region}))
}

// checked is the answer of a player check whose fields are not shown, but that it names the player.
func (s shape) checked(game string, player PlayerSpec) reply {
	o := object{s.word(game+" name", "player_name", "name", "nickname"): player.Name, "player_id": player.ID}
	if player.Region != "" && s.pick(game+" region", 2) == 0 {
		o["region"] = player.Region
	}
	return reply{data: s.with(o), bare: s.pick(game+" check bare", 3) == 2}
}

func arenaPlans(s *Server, _ call) reply {
	all := []object{}
	for _, p := range s.plans {
		all = append(all, s.shape.with(object{
			"id": p.ID, "plan_id": p.PlanID, "item_id": p.ItemID, "plan_name": p.Name,
			"plan_price": s.shape.money(p.price), "reseller_price": s.shape.money(p.resells),
		}))
	}
	return ok(all)
}

func arenaTopup(s *Server, c call) reply {
	id, no := c.arenaPlayer()
	if no != nil {
		return *no
	}
	if c.text("plan_id") == "" {
		return required("plan_id")
	}
	p := s.plan(c.text("plan_id"))
	if p == nil {
		return invalid("plan_id", "The selected plan id is invalid.")
	}
	// A player whom the supplier cannot tell is let through. One who is invalid is refused here; the catalogue's products take such an
	// order, and it fails (sell).
	player := s.player(familyArena, id)
	if player.Status == playerInvalid {
		return refuse(http.StatusNotFound, "Player not found")
	}
	if !c.canPay(p.resells) {
		return refuse(http.StatusForbidden, "Insufficient balance")
	}
	placed := s.topupObject(s.topUp(c, p, player), c.now)
	// The document shows pending at creation; without a Delay topupStatus would say success.
	placed["status"] = "pending" // whatever the delay
	return reply{message: "Top-up order placed successfully", data: placed}
}

// isTopup tells the orders of the Legacy arena endpoints.
func isTopup(o *order) bool { return o.plan != nil }

// topupObject is an arena top-up order, of which the document shows every field.
func (s *Server) topupObject(o *order, now time.Time) object {
	out := s.shape.with(object{
		"order_id": o.number, "transaction_id": o.trx, "player_id": o.player.ID, "player_name": o.player.Name,
		"plan_name": o.plan.Name, "amount": s.shape.money(o.price), "status": o.topupStatus(now),
		"created_at": o.at.In(s.zone).Format(time.DateTime),
	})
	o.feigned.family.on(out, "key")
	return out
}

func arenaOrder(s *Server, c call) reply {
	o, _ := s.byNumber(c.params["order_id"])
	then, there := s.status(c, o)
	if !there || !isTopup(o) || o.account != c.account {
		return refuse(http.StatusNotFound, "Order not found")
	}
	return ok(s.topupObject(o, then))
}

func arenaOrders(s *Server, c call) reply {
	all, no := s.listed(c, "arena orders", isTopup, s.topupObject)
	if no != nil {
		return *no
	}
	return ok(all)
}

// arenaStatus follows a top-up by its transaction id. One that was bought from the catalogue is also
// found by its order id, since no answer names its transaction.
func arenaStatus(s *Server, c call) reply {
	o := s.byTrx[c.params["trxId"]]
	if o == nil {
		o = s.byID[c.params["trxId"]]
	}
	then, there := s.status(c, o)
	if !there || o.family() != familyArena || o.account != c.account {
		return refuse(http.StatusNotFound, "Order not found")
	}
	out := object{
		"transaction_id": o.trx, "order_id": s.shape.idForm("arena status", o), "status": o.topupStatus(then), "player_id": o.player.ID, "amount": s.shape.money(o.price),
		"created_at": o.at.In(s.zone).Format(time.DateTime),
	}
	if o.plan != nil {
		out["player_name"], out["plan_name"] = o.player.Name, o.plan.Name
	}
	o.feigned.family.on(out, "key")
	return s.shape.unshown("arena status", "order", out)
}

func checkBattleRoyale(s *Server, c call) reply {
	id := c.text("player_id")
	if id == "" {
		return required("player_id")
	}
	player, no := s.found(familyBattleRoyale, id)
	if no != nil {
		return *no
	}
	return s.shape.checked(familyBattleRoyale, player)
}

// inFamily tells the orders of a family.
func inFamily(family string) func(*order) bool {
	return func(o *order) bool { return o.variant != nil && o.family() == family }
}

// followed is the caller's order of a family, by the id that the purchase returned or its number.
func (s *Server) followed(c call, family string) *order {
	id := c.params["orderId"]
	o := s.byID[id]
	// The number is Legacy's name for it, which a key that sees Current alone does not know.
	if o == nil && c.mode != Current {
		o, _ = s.byNumber(id)
	}
	if o == nil || o.account != c.account || !inFamily(family)(o) {
		return nil
	}
	if _, there := s.status(c, o); !there {
		return nil
	}
	return o
}

// familyOrder is an order in its family's own endpoints. No field is shown.
func (s *Server) familyOrder(point string, o *order, now time.Time) object {
	return object{
		s.shape.word(point+" id name", "order_id", "order_id", "id"): s.shape.idForm(point, o), "status": o.topupStatus(now),
		"product_name": o.variant.product.Name, "variant_name": o.name,
		s.shape.word(point+" price name", "price", "amount"): s.shape.money(o.price), "created_at": s.shape.datetime(o.at),
	}
}

// battleRoyaleOrder is a battleroyale order with its player.
func (s *Server) battleRoyaleOrder(o *order, now time.Time) object {
	out := s.familyOrder(familyBattleRoyale, o, now)
	o.feigned.family.on(out, "key")
	maps.Copy(out, object{"player_id": o.player.ID, s.shape.word("battleroyale name", "player_name", "name", "nickname"): o.player.Name})
	return out
}

func battleRoyaleStatus(s *Server, c call) reply {
	o := s.followed(c, familyBattleRoyale)
	if o == nil {
		return refuse(http.StatusNotFound, "Order not found")
	}
	return s.shape.unshown("battleroyale status", "order", s.battleRoyaleOrder(o, c.now.Add(-s.world.StatusLag)))
}

// battleRoyaleHistory lists the caller's battleroyale orders; whether it is paged is not shown.
func battleRoyaleHistory(s *Server, c call) reply {
	all, no := s.listed(c, "battleroyale history", inFamily(familyBattleRoyale), func(o *order, then time.Time) object {
		return s.shape.with(s.battleRoyaleOrder(o, then))
	})
	if no != nil {
		return *no
	}
	switch s.shape.pick("battleroyale paging", 3) {
	case 1:
		return ok(object{"data": all, "current_page": 1, "last_page": 1, "per_page": len(all), "total": len(all)})
	case 2:
		return ok(object{"orders": all, "pagination": object{"page": 1, "pages": 1, "total": len(all)}})
	}
	return ok(all)
}

func sportsTVOrder(s *Server, c call) reply {
	o := s.followed(c, familySportsTV)
	if o == nil {
		return refuse(http.StatusNotFound, "Order not found")
	}
	then := c.now.Add(-s.world.StatusLag)
	out := s.familyOrder(familySportsTV, o, then)
	field := s.shape.word("sportstv code", "key", "code", "voucher")
	if code := o.key(then); code != "" && !s.world.FamilyHidesCodes && s.shape.pick("sportstv place", 3) < 2 {
		out[field] = code
	}
	o.feigned.family.on(out, field)
	return s.shape.unshown("sportstv order", "order", out)
}

// checkNumber checks the number of a line before a refill.
func checkNumber(s *Server, c call) reply {
	kind, number := c.params["type"], c.params["number"]
	if !slices.Contains([]string{"adsl", "fibre", "4g"}, kind) {
		return invalid("type", "The selected type is invalid.")
	}
	if !digits(number, 9, 10) || number[0] != '0' {
		return invalid("number", "The number format is invalid.")
	}
	line, no := s.found(familyInternet, number)
	if no != nil && no.code == http.StatusNotFound {
		return refuse(http.StatusNotFound, "Number not found")
	}
	if no != nil {
		return *no
	}
	return s.shape.unshown("internet number", "result", object{"type": kind, "number": number, "status": "valid", s.shape.word("internet name", "name", "client_name", "customer"): line.Name})
}
