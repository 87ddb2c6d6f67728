package impair

// Preset is a line with a name.
type Preset struct {
	Name   string `json:"name"`
	Line   string `json:"line"`   // as Parse reads it
	Source string `json:"source"` // where the numbers come from, and how they were changed
}

// Presets are the named lines.
var Presets = []Preset{
	{"lan", "delay 250us",
		`J. Dean, Designs, Lessons and Advice from Building Large Distributed Systems (LADIS 2009), slide "Numbers Everyone Should Know": a round trip within a datacenter takes 500 us. Half of it is the delay`},
	{"wan", "delay 75ms",
		`J. Dean, Designs, Lessons and Advice from Building Large Distributed Systems (LADIS 2009), slide "Numbers Everyone Should Know": a packet from California to the Netherlands and back takes 150 ms. Half of it is the delay`},
	{"satellite", "delay 279ms",
		`RFC 2488 (Allman, Glover, Sanchez 1999), section 2: the propagation delay of one hop over a geostationary satellite, for ground stations at the edge of its view, is 279.0 ms. The numbers are the source's`},
	{"3g", "delay 150ms rate 1600kbit",
		`WebPageTest, www/settings/connectivity.ini.sample, profile 3G: 1.6 Mbit/s down, a round trip of 300 ms. Half of it is the delay; the upload's 768 kbit/s are left out, since links are alike in both directions`},
	{"wifi", "delay 200us slot 800us 10ms packets 42 bytes 64000",
		`D. Taht, netem: support delivering packets in delayed time slots (Linux, commit 836af83b54e3): the example for shared media such as Wi-Fi. Its 64k bytes are 64,000 here; the other numbers are the source's`},
	{"lossy", "delay 75ms loss burst 5% 2",
		`V. Paxson, End-to-End Internet Packet Dynamics (SIGCOMM 1997), on packet loss: 5.2 % of the packets of the second data set were lost, and of the data packets right behind a lost one about half. Rounded to 5 % in bursts of 2 on average; the delay is that of wan`},
}

func findPreset(name string) *Preset {
	for i := range Presets {
		if Presets[i].Name == name {
			return &Presets[i]
		}
	}
	return nil
}

// PresetNames are the names of the presets.
func PresetNames() []string {
	names := make([]string, len(Presets))
	for i, p := range Presets {
		names[i] = p.Name
	}
	return names
}
